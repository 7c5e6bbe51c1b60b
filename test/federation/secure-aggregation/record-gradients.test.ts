/** Gradients of single records on secure sums: their account, the models of a local fit, and what is refused. */
import { describe, expect, test } from "vitest";
import { plannedMethod } from "../../../src/federation/protocol/plan/planned-method.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { gaussianEpsilon } from "../../../src/privacy/index.js";
import { planOf, run, tasks, weightsOf } from "./secure-run.js";

const sizes = { m: 7, d: 4, rows: 105, mostRows: 15 };
const SHORT = { unit: "record", rounds: 3, serverStepSize: 0.3, recordClip: 2 };
const planFor = (options: object) => planOf("pmtl", { ...SHORT, epsilon: 1, ...options });

describe("pmtl on secure sums", () => {
  test.each(["record", "both"])("%s: the closed form of the honest shares' noise", (unit) => {
    const { ledger, recordOf } = plannedMethod(planFor({ unit, clip: 1.5 }), sizes).releases;
    const epsilonAt = (moved: number) => {
      const squares = ledger.plan.map((event) => (moved / (event as { sigma: number }).sigma) ** 2);
      return gaussianEpsilon(Math.sqrt(squares.reduce((a, b) => a + b)), 1e-4);
    };
    // A row of norm 2, in units of fifteen rows; a task of norm 1.5.
    const ofRecord = epsilonAt((2 * 2) / 15);
    const printed = unit === "record" ? 1 : recordOf!.epsilon;
    expect(ofRecord).toBeLessThanOrEqual(printed);
    expect(ofRecord / printed).toBeGreaterThan(0.99);
    if (unit === "both") {
      expect(epsilonAt(2 * 1.5)).toBeLessThanOrEqual(1);
      expect(epsilonAt(2 * 1.5)).toBeGreaterThan(0.99);
      expect(printed).toBeLessThan(0.2);
    }
  });

  test.each(["record", "both"])(
    "%s: with next to no noise the models of a local fit",
    async (unit) => {
      const plan = planFor({ unit, epsilon: 1e8, clip: 1.5 });
      const { models, curator } = await run(plan);
      const local = await makeEstimator("pmtl", plan.options).fit(tasks);
      const largest = Math.max(...local.weights.map(Math.abs));
      for (const [name, weights] of weightsOf(models)) {
        const i = local.taskNames.indexOf(name);
        weights.forEach((w, j) => {
          expect(Math.abs(w - local.weights[i * local.d + j]!)).toBeLessThan(2e-3 * largest);
        });
      }
      expect(curator.guarantee).toMatchObject({
        unit: unit === "both" ? "task" : unit,
        colluding: 1,
      });
    },
  );

  test("samples of rows, and models of releases, are refused", () => {
    const rate = { recordRate: 0.5, adjacency: "zero-out" };
    expect(() => planFor(rate)).toThrow(/options\.recordRate: expected 1 with secure aggregation/);
    // In code, where no plan is made, by the method itself.
    const plan = planFor({ adjacency: "zero-out" });
    const sampled = { ...plan, options: { ...plan.options, ...rate } };
    expect(() => plannedMethod(sampled, sizes)).toThrow(/^recordRate: in a sum of shares/);
    const own = planFor({ ownModel: "noisy", localSteps: 2 });
    expect(() => plannedMethod(own, sizes)).toThrow(/^ownModel: a participant that returns/);
  });
});
