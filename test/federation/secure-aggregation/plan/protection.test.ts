/** Who is promised what on secure sums: all others know their own shares of the noise, so that one honest share is left. */
import { expect, test } from "vitest";
import { guaranteeLines } from "../../../../src/cli/fitted/guarantee-text.js";
import { registryEntry } from "../../../../src/cli/registry/entry.js";
import { loadModel, saveModel } from "../../../../src/model/index.js";
import { statementProblem } from "../../../../src/privacy/guarantee/check-statement.js";
import {
  gaussianEpsilon,
  Ledger,
  type Guarantee,
  type PrivacyEvent,
} from "../../../../src/privacy/index.js";
import { believed } from "../../../../src/federation/participant/statement.js";
import { plannedMethod } from "../../../../src/federation/protocol/plan/planned-method.js";
import { runStatement } from "../../../../src/federation/protocol/run-statement.js";
import { planOf, run } from "../secure-run.js";

const SECURE = { random: { mode: "secure" }, epsilon: 1, rounds: 3 };

const BOTH = { random: { mode: "secure" }, epsilon: 1, unit: "both", scale: "unit" };

/** The closed form at so many honest shares, the events being of t - c = 3. */
function epsilonOf(events: readonly PrivacyEvent[], honest: number): number {
  const ratios = events.map((event) => ("sigma" in event ? event.sensitivity / event.sigma : NaN));
  const mu = Math.hypot(...ratios) * Math.sqrt(3 / honest);
  return gaussianEpsilon(mu, 1e-4);
}

test.each([
  ["mp-low-rank", { clip: 2 }, "task"],
  ["private-fedavg", { unit: "record", recordClip: 2, ownModel: "noisy" }, "record"],
])("%s: against all other owners together", async (method, options, unit) => {
  const { models } = await run(planOf(method, { ...SECURE, ...options }));
  const model = models["p1"]!;
  const events = model.ledger!.plan!;
  for (const held of [model, loadModel(saveModel(model))]) {
    const { protection } = held.forTask(held.taskNames[0]!);
    const line = (of: string, party: string) =>
      protection.find(({ of: one, against }) => one === of && against === party)!.epsilon;
    for (const of of unit === "task" ? ["task", "record"] : ["record"]) {
      const exact = epsilonOf(events, 1);
      expect(line(of, "curator")).toBe(1);
      expect(line(of, "other tasks")! / exact).toBeGreaterThanOrEqual(1 - 1e-9);
      expect(line(of, "other tasks")! / exact).toBeLessThan(1.001);
    }
    const given = unit === "record" ? line("record", "other tasks") : null;
    expect(line("record", "own model")).toBe(given);
    expect(line("record", "all models")).toBe(given);
  }
  const lines = guaranteeLines(model.guarantee);
  expect(lines.join("\n")).toMatch(/the curator with up to 1 participants, even if told .* tells/);
  expect(lines.join("\n")).not.toMatch(/an attacker who knows/);
  expect(String(model)).toMatch(
    unit === "task"
      ? /; \(1, 0.0001\)-DP against the curator with up to 1 participants\)$/
      : /; \(1, 0.0001\)-DP of single records against the curator with up to 1 participants\)$/,
  );
  const answers = { intent: "x", region: "y", authors: ["z"], date: "2026-02-28" };
  const { deployment } = registryEntry(model, answers);
  const { privacy_loss: loss, deployment_model: place } = deployment;
  expect(loss!.privacy_unit_details).toMatch(/against the curator with up to 1 participant;/);
  expect(loss!.privacy_unit_details).not.toMatch(/against all the tasks/);
  expect(place!.model_name).toBe("Federated");
});

test("no sentence of a participant's statement is the curator's, which is trusted with nothing", () => {
  const plan = planOf("mp-low-rank", { ...SECURE, clip: 2 });
  const { estimator, releases } = plannedMethod(plan, { m: 7, d: 4, rows: 105, mostRows: 15 });
  const ledger = new Ledger(releases.ledger);
  releases.ledger.plan.forEach((event, k) => ledger.charge(event, { round: k + 1 }));
  const { options } = estimator;
  const right = runStatement(plan, releases, { ledger, options });
  const told = (guarantee: Guarantee) =>
    believed({ guarantee, ledger: ledger.toJSON() }, plan, releases, options).guarantee;
  expect(told(right)).toEqual(right);
  const lies: Partial<Guarantee> = {
    trust: "nobody need be trusted, whoever is in league",
    neighbours: "all data of all tasks are these, or any other",
    scope: "this run and all later ones",
    notCovered: [],
    why: "it is known",
    mechanism: "two-sided-wishart",
    note: "",
    later: "of later tasks",
  };
  expect(told({ ...right, ...lies })).toEqual(right);
});

test("of a seeded plan a participant's own statement says that nobody is protected from the seed", () => {
  const seeded = { random: { mode: "seeded", seed: "known" }, epsilon: 1, rounds: 3, clip: 2 };
  const plan = planOf("mp-low-rank", seeded);
  const { estimator, releases } = plannedMethod(plan, { m: 7, d: 4, rows: 105, mostRows: 15 });
  const ledger = new Ledger(releases.ledger);
  releases.ledger.plan.forEach((event, k) => ledger.charge(event, { round: k + 1 }));
  const stated = runStatement(plan, releases, { ledger, options: estimator.options });
  expect(stated).toMatchObject({ noiseSource: "seeded", private: false, colluding: 1 });
});

test("a file that says otherwise of colluders than its ledger bears out is found", async () => {
  const { models } = await run(planOf("mp-mixed", BOTH));
  const { guarantee, ledger } = models["p1"]!;
  const { recordOf, ...stated } = guarantee as Guarantee;
  const found = (change: object) => statementProblem({ ...stated, ...change }, ledger);
  expect(found({ recordOf })).toBeUndefined();
  // Without a word of colluders it would be a promise against all others together.
  expect(found({ colluding: undefined, collusion: undefined })).toMatch(/^colluding/);
  expect(found({ colluding: "all" })).toMatch(/^colluding/);
  const edited = (rows: Guarantee["collusion"], row: object) =>
    rows!.map((one, i) => (i === 1 ? { ...one, ...row } : one));
  for (const row of [{ epsilon: 0.1 }, { honest: 5, epsilon: 0.9 }, { colluding: 4 }]) {
    expect(found({ collusion: edited(stated.collusion, row) })).toMatch(/^collusion/);
  }
  const ofRecord = { ...recordOf, collusion: edited(recordOf!.collusion, { epsilon: 1e-3 }) };
  expect(found({ recordOf: ofRecord })).toMatch(/^recordOf: collusion/);
});
