/** What is stated of sums whose parts are hidden by cryptography, and of holders of models under relays: whom and what that rests on. */
import { expect, test } from "vitest";
import { describePlan, makePlan, type Plan } from "../../../src/federation/index.js";
import { plannedMethod } from "../../../src/federation/protocol/plan/planned-method.js";
import { runStatement } from "../../../src/federation/protocol/run-statement.js";
import { heldByHolders } from "../../../src/learning/release/held-by-holders.js";
import { protectionTable } from "../../../src/privacy/guarantee/protection.js";
import { Ledger } from "../../../src/privacy/index.js";
import { relayedPlan } from "../relays/plain-run.js";
import { identity } from "../secure-aggregation/harness.js";
import { planOf as securePlan } from "../secure-aggregation/secure-run.js";
import { planOf as verifiedPlan } from "../verified-sums/verified-run.js";

const OPTIONS = { random: { mode: "secure" }, epsilon: 1, rounds: 2, clip: 2 };

/** Twenty participants, each with neighbours in a ring. */
function ringPlan(): Plan {
  const { features, tasks } = securePlan("mp-low-rank", OPTIONS);
  const participants = Array.from({ length: 20 }, (_, k) => ({
    name: `p${k}`,
    identity: Buffer.from(identity(k).public).toString("hex"),
  }));
  return makePlan({
    run: "ring",
    method: "mp-low-rank",
    features,
    tasks: tasks!.map(({ name }, i) => ({ name, participant: `p${i}` })),
    options: { ...OPTIONS, delta: 1e-4 },
    aggregation: { participants, colluding: 1, dropOuts: 2, threshold: 12 },
  });
}

function stated(plan: Plan) {
  const { estimator, releases } = plannedMethod(plan, { m: 7, d: 4, rows: 105, mostRows: 15 });
  const ledger = new Ledger(releases.ledger);
  releases.ledger.plan.forEach((event, k) => ledger.charge(event, { round: k + 1 }));
  return runStatement(plan, releases, { ledger, options: estimator.options });
}

test.each([
  ["relays", relayedPlan("relays", ["mp-low-rank", OPTIONS]), false, false],
  ["secure sums", securePlan("mp-low-rank", OPTIONS), true, false],
  ["secure sums in a ring", ringPlan(), true, true],
  ["two aggregators", verifiedPlan("mp-low-rank", OPTIONS), true, false],
])("%s: whether the promise rests on cryptography, and on the order of a ring", (_, plan, hidden, ring) => {
  const guarantee = stated(plan);
  const limits = guarantee.notCovered.join("; ");
  expect(/breaks the cryptography .* computational/.test(limits)).toBe(hidden);
  expect(/chance of 2\^-100 .* beside delta/.test(limits)).toBe(ring);
  expect(/holds computationally/.test(describePlan(plan).join("; "))).toBe(hidden);
  const table = protectionTable(guarantee);
  const computational = table.filter(({ words }) => words.endsWith(", computationally"));
  expect(computational.map(({ of, against }) => [of, against])).toEqual(
    hidden ? [["record", "curator"], ["task", "curator"]] : [],
  );
}); // prettier-ignore

test("what is promised against holders of models rests on the same", () => {
  const options = { unit: "record", ownModel: "noisy", rounds: 2, epsilon: 5 };
  const joint = stated(securePlan("private-fedavg", options));
  const held = heldByHolders(joint);
  expect(held.trust).toMatch(/^no one is trusted with what a task uploads.*the record's own task is trusted, too/);
  expect(held.notCovered).toEqual(expect.arrayContaining(joint.notCovered.slice(-2)));
  expect(joint.notCovered.at(-2)).toMatch(/cryptography/);
}); // prettier-ignore
