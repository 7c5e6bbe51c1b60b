/**
 * Everything that is printed of a fit, over combinations of method, unit, adjacency, noise and owners' budgets: no promise below
 * what its releases cost by a formula of its own, none at all where noise protects nobody, and the right unit in every place.
 */
import { expect, test } from "vitest";
import { guaranteeLines, ownerLines } from "../../../src/cli/fitted/guarantee-text.js";
import { protectionLines } from "../../../src/cli/fitted/protection-text.js";
import { registryEntry } from "../../../src/cli/registry/entry.js";
import { makeEstimator, METHOD_NAMES, type FittedModel } from "../../../src/learning/index.js";
import { methodNamed } from "../../../src/learning/methods.js";
import { loadModel, saveModel } from "../../../src/model/index.js";
import type { Ledger } from "../../../src/privacy/index.js";
import { DataError, OptionError } from "../../../src/core/index.js";
import { someOf, thorough } from "../../thorough.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 6, d: 2, rows: (i) => 5 + i });
const MOST_ROWS = 10;

/** Phi by a series near 0 and a continued fraction far from it. */
function normalCdf(x: number): number {
  const z = Math.abs(x);
  let tail: number;
  if (z < 3) {
    let [term, sum] = [z, z];
    for (let k = 1; k < 100; k++) sum += term *= (z * z) / (2 * k + 1);
    tail = 0.5 - (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
  } else {
    let fraction = z;
    for (let k = 200; k > 0; k--) fraction = z + k / fraction;
    tail = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI) / fraction;
  }
  return x > 0 ? 1 - tail : tail;
}

/** The least delta of a ledger at an epsilon, as of continuous noise; undefined where another formula is needed. */
function leastDelta({ entries }: Ledger, epsilon: number): number | undefined {
  let [squares, pure] = [0, 0];
  for (const { event } of entries) {
    if (event.kind === "gaussian" || event.kind === "discrete-gaussian") {
      squares += (event.sensitivity / event.sigma) ** 2;
    } else if (event.kind === "pure") pure += event.epsilon;
    else return undefined;
  }
  const mu = Math.sqrt(squares);
  if (pure > 0) return mu > 0 ? undefined : pure <= epsilon * (1 + 1e-9) ? 0 : undefined;
  if (mu === 0) return 0;
  return normalCdf(mu / 2 - epsilon / mu) - Math.exp(epsilon) * normalCdf(-mu / 2 - epsilon / mu);
}

const units = (name: string): readonly string[] =>
  methodNamed(name).options["unit"]?.words ?? ["task"];

/** What is combined for a method; what it has no option for is left out. */
function* combinations(name: string): Generator<Record<string, unknown>> {
  const { options } = methodNamed(name);
  const has = (option: string) => option in options;
  for (const unit of units(name)) {
    for (const adjacency of ["replace", "zero-out"]) {
      for (const delta of someOf(["auto", "papers", 0, 1e-3], 2)) {
        if (!thorough && adjacency === "zero-out" && delta !== "auto") continue;
        for (const mode of ["secure", "seeded"]) {
          if (!thorough && mode === "seeded" && delta !== "auto") continue;
          const random = mode === "secure" ? { mode } : { mode, seed: "s" };
          const common = { epsilon: 1, adjacency, delta, random, ...(has("unit") ? { unit } : {}) };
          const given = { ...common, ...(has("scale") ? { scale: "unit" } : {}) };
          const bounded = has("featureBound") ? { ...given, featureBound: 100 } : given;
          const short = has("rounds") ? { ...bounded, rounds: 2 } : bounded;
          yield short;
          if (has("ownModel") && unit === "record") yield { ...short, ownModel: "noisy" };
          if (unit !== "task" && has("taskEpsilons")) {
            yield { ...short, taskEpsilons: { "task-2": 0.3 } };
            yield { ...short, rowsPerPerson: 2, tasksPerPerson: 2 };
          }
          if (has("curator") && unit === "task") {
            yield { ...short, curator: "untrusted", recordEpsilon: 2 };
          }
          if (options["mechanism"]?.words?.includes("wishart")) {
            yield { ...short, mechanism: "wishart" };
          }
        }
      }
    }
  }
}

const CLAIM = /^(joint )?\(.*-DP/;

function checkSilence(model: FittedModel, lines: readonly string[], what: string): void {
  expect(
    lines.filter((line) => CLAIM.test(line)),
    what,
  ).toEqual([]);
  expect(lines[0], what).toMatch(/^NOT /);
  expect(String(model), what).toMatch(/not private|does not hold/);
  for (const { epsilon } of model.protection) expect(epsilon, what).toBeNull();
  const answers = { intent: "x", region: "y", authors: ["z"], date: "2026-02-28" };
  expect(() => registryEntry(model, answers), what).toThrow(/holds for no one/);
}

function checkFigures(model: FittedModel, what: string): number {
  let compared = 0;
  const covered = (ledger: Ledger, epsilon: number, delta: number) => {
    const least = leastDelta(ledger, epsilon);
    if (least === undefined) return;
    compared++;
    expect(least, what).toBeLessThanOrEqual(delta * (1 + 1e-6) + 1e-18);
  };
  for (const name of model.taskNames) {
    const { guarantee, recordGuarantee, protection } = model.forTask(name);
    if (guarantee.kind === "none") expect.unreachable();
    const ledger = model.ledgerOf(name)!;
    const { record } = guarantee;
    const own = record ?? guarantee;
    covered(ledger, own.epsilon, own.delta);
    if (record) expect(guarantee.epsilon, what).toBeGreaterThanOrEqual(record.epsilon * MOST_ROWS * (1 - 1e-9)); // prettier-ignore
    expect(ledger.unit, what).toBe(record ? "record" : guarantee.unit);
    expect(ledger.noiseSource, what).toBe("secure");
    const at = (of: string, against: string) =>
      protection.find((line) => line.of === of && line.against === against);
    const small = guarantee.person ? "person" : "record";
    if (guarantee.unit === "task")
      expect(at("task", "other tasks")!.epsilon).toBe(guarantee.epsilon);
    else {
      expect(at(small, "other tasks")!.epsilon, what).toBe(guarantee.epsilon);
      for (const line of protection) if (line.of === "task") expect(line.epsilon, what).toBeNull();
    }
    const held = at(small, "own model")!.epsilon;
    expect(held === null, what).toBe(recordGuarantee?.against !== "own model");
    const curator = protection.filter(
      (line) => line.against === "curator" && line.epsilon !== null,
    );
    // A fit in one place ran over the rows: noise on uploads hid them from nobody there.
    expect(curator, what).toEqual([]);
    if (recordGuarantee && !model.owners) {
      covered(model.recordLedger!, recordGuarantee.epsilon, recordGuarantee.delta);
    }
  }
  return compared;
}

test.each(METHOD_NAMES.filter((name) => methodNamed(name).privacy && !methodNamed(name).inCodeOnly))(
  "%s",
  async (name) => {
    let [fitted, compared] = [0, 0];
    for (const options of combinations(name)) {
      const what = JSON.stringify(options);
      let model: FittedModel;
      try {
        model = await makeEstimator(name, options).fit(tasks);
      } catch (error) {
        // Refused is promised nothing.
        if (![OptionError, DataError, RangeError].some((kind) => error instanceof kind)) throw error;
        continue;
      }
      fitted++;
      const { guarantee } = model;
      if (guarantee.kind === "none") expect.unreachable();
      const lines = [
        ...guaranteeLines(guarantee),
        ...ownerLines(guarantee),
        ...protectionLines(model.protection),
      ];
      const holds = guarantee.sound && guarantee.noiseSource === "secure";
      expect(guarantee.private, what).toBe(holds);
      if (!holds) checkSilence(model, lines, what);
      else {
        expect(lines[0], what).toContain(`-DP of each ${guarantee.unit} against all others`);
        expect(lines.join("\n"), what).toContain(`unit: one ${guarantee.unit}`);
        compared += checkFigures(model, what);
      }
      const again = loadModel(saveModel(model));
      expect(again.guarantee, what).toEqual(guarantee);
      expect(again.protection, what).toEqual(model.protection);
    }
    expect(fitted).toBeGreaterThan(thorough ? 7 : 3);
    expect(compared).toBeGreaterThan(thorough ? 7 : 3);
  },
); // prettier-ignore
