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
