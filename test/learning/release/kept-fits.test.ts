/**
 * Seeded fits of every private method as they are: what was charged, with which noise, what is promised and not, what the
 * models came out as (to nine digits). Whether it is right, other tests say; a change of any of it is a change that
 * CHANGELOG.md tells. Of all that a fit says, words too, a digest is kept. Where it should change: `npx vitest run test/learning/release/kept-fits.test.ts -u`.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { ALL_METHODS } from "../../../src/learning/estimators/all.js";
import { worldsOf } from "../../property/configurations.js";
import { keptData } from "./kept-data.js";

/** Values of options of which each method takes those that it has. */
const VARIANTS: readonly Record<string, unknown>[] = [
  {},
  { adjacency: "zero-out", noise: "float", initial: "zeros", rounds: 3 },
  { delta: 0, epsilon: 3 },
  { curator: "untrusted", recordEpsilon: 2 },
  { sampling: { kind: "poisson", rate: 0.5 }, adjacency: "zero-out" },
  { sampling: { kind: "fixed-size", size: 2 }, schedule: { kind: "polynomial", exponent: 0.5 }, rounds: 4 },
  { mechanism: "wishart", schedule: { kind: "geometric", ratio: 0.8 } },
  { unit: "record", ownModel: "noisy", personalization: "none" },
  { unit: "both", adjacency: "zero-out" },
  { loss: "logistic", epsilon: 8 },
  { publicPrior: { coefficients: { x0: 0.5, x1: 0, x2: -1 }, intercept: 1, source: "a study" }, scale: "unit", epsilon: 0.3 },
]; // prettier-ignore

/** Methods whose constants are still being fitted: of them only what sensitivities, units and words follow from. */
const UNSETTLED = ["mp-mixed", "mp-subspace"];

/** What makes the fits short, and what one method requires. */
const FEW = { rounds: 3, statistic: "covariance" };

const shape = { rows: [5, 3, 8, 2], d: 3, seed: 4, declared: true };

/** Numbers to nine digits, which no order of additions changes. */
const short = (_: string, value: unknown) =>
  typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value;

const methods = ALL_METHODS.filter(({ privacy }) => privacy !== null);

test.each(methods)("$name", async (method) => {
  const lines: string[] = [];
  for (const variant of VARIANTS) {
    const given = Object.entries(variant).filter(([name]) => name in method.options);
    if (given.length < Object.keys(variant).length && given.length < 2) continue;
    const few = Object.entries(FEW).filter(([name]) => name in method.options);
    const options = Object.fromEntries([...few, ...given]) as Record<string, never>;
    let said: unknown;
    try {
      const worlds = worldsOf({ method: method.name, options, shape, changed: 0, seed: 1 });
      const data = keptData("loss" in options ? 2 : 0);
      const reports: unknown[] = [];
      const model = await method.make(worlds.options).fit(data, {
        onRound: (report) => reports.push(report),
        notCharged: ["what the caller says"],
      });
      const { guarantee, recordGuarantee, ledger, recordLedger, protection } = model;
      if (guarantee.kind === "none" || !ledger) throw new Error("no guarantee");
      const { history, rounds, objective, weights } = model;
      if (UNSETTLED.includes(method.name)) {
        const { epsilon: own, against } = recordGuarantee ?? {};
        const charges = ledger.entries.map(({ label, event }) => [label, event.adjacency, "sensitivity" in event && event.sensitivity]); // prettier-ignore
        const { unit, epsilon, delta, notCharged, notCovered } = guarantee;
        said = [{ unit, epsilon: unit === "record" ? null : epsilon, delta, notCharged, notCovered }, own, against, charges]; // prettier-ignore
        lines.push(`${JSON.stringify(options)}\n${JSON.stringify(said, short)}\n`);
        continue;
      }
      const entries = [ledger, recordLedger].map((one) => one && JSON.parse(JSON.stringify(one)) as unknown); // prettier-ignore
      const all = JSON.stringify({ guarantee, recordGuarantee, protection, entries, reports, history, rounds, objective, weights: [...weights] }, short); // prettier-ignore
      const { epsilon, delta, accountant, mechanism, spent, sound } = guarantee;
      said = [
        { epsilon, delta, accountant, mechanism, spent, sound },
        ...[recordGuarantee].flatMap((own) => (own ? [own.against, own.epsilon, own.delta, own.spent] : [])),
        ...ledger.entries.slice(-2),
        [...weights.subarray(0, 3)],
        createHash("sha256").update(all).digest("hex").slice(0, 12),
      ]; // prettier-ignore
    } catch (error) {
      said = (error as Error).message;
    }
    lines.push(`${JSON.stringify(options)}\n${JSON.stringify(said, short)}\n`);
  }
  await expect(lines.join("")).toMatchFileSnapshot(`kept-fits/${method.name}.txt`);
});
