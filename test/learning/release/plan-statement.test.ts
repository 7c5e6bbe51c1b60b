/** What a plan promises once it is charged: no more than its weakest release. */
import { expect, test } from "vitest";
import { MpLowRank } from "../../../src/learning/index.js";
import { planStatement } from "../../../src/learning/release/plan-statement.js";
import { releasesOf } from "../../../src/learning/release/private-estimator.js";
import { Ledger } from "../../../src/privacy/index.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 30, d: 3, rows: () => 8 });

test("a release that is not sound is what the statement is of, whichever is the main one", () => {
  const options = { epsilon: 20, delta: 1e-3, rounds: 2, clip: "auto" } as const;
  const sound = releasesOf(new MpLowRank(options), tasks);
  const papers = releasesOf(new MpLowRank({ ...options, mechanism: "wishart" }), tasks);
  const [votes] = papers.stages;
  expect(votes!.mechanism.sound).toBe(true);
  for (const main of [papers.main, votes!]) {
    const plan = { ...papers, main };
    const ledger = new Ledger(plan.ledger);
    plan.ledger.plan.forEach((event, k) => ledger.charge(event, { round: k + 1 }));
    const stated = planStatement(plan, ledger, "secure", []);
    expect(stated).toMatchObject({ sound: false, private: false, mechanism: "wishart" });
  }
  const ledger = new Ledger(sound.ledger);
  sound.ledger.plan.forEach((event, k) => ledger.charge(event, { round: k + 1 }));
  expect(planStatement(sound, ledger, "secure", [])).toMatchObject({ sound: true, private: true });
});

test("where some noise is drawn in floating point so says the statement, whichever the main one is", () => {
  // At this budget votes of a few entries are beyond the exact sampler's range, and matrices are not.
  const options = { epsilon: 3e12, delta: 1e-5, clip: 2, choice: "pooled" } as const;
  const plan = releasesOf(new MpLowRank(options), makeTasks({ m: 40, d: 6, rows: () => 8 }));
  const forms = plan.stages.map(({ mechanism }) => mechanism.exact);
  expect(forms).toEqual([true, false]);
  expect(plan.main.mechanism.exact).toBe(true);
  const ledger = new Ledger(plan.ledger);
  plan.ledger.plan.forEach((event, k) => ledger.charge(event, { round: k + 1 }));
  const { mechanism, sound, why } = planStatement(plan, ledger, "secure", []);
  expect({ mechanism, sound }).toEqual({ mechanism: "gaussian", sound: true });
  expect(why).toContain("proven for real numbers only");
});
