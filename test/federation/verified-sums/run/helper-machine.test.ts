/** One helper, request by request: the sizes that it was told first, what its operator hears, and what its records say of it. */
import { expect, test } from "vitest";
import {
  canonicalPlan,
  decodeMessage,
  encodeMessage,
  planHash,
  type Body,
} from "../../../../src/federation/index.js";
import { MOST_ATTEMPTS } from "../../../../src/federation/protocol/messages/attempts.js";
import { plannedMethod } from "../../../../src/federation/protocol/plan/planned-method.js";
import {
  HelperMachine,
  Leader,
  makeReport,
  randomBytesFrom,
  verifiedTerms,
} from "../../../../src/federation/verified-sums/index.js";
import {
  attemptSession,
  verifyKeyOf,
} from "../../../../src/federation/verified-sums/aggregators/round-name.js";
import { aggregatorKeys } from "../../../../src/federation/verified-sums/plan/planned.js";
import {
  encodeHelperRecord,
  readHelperState,
  type HelperRecord,
} from "../../../../src/federation/verified-sums/run/helper-records.js";
import { helper, leader, planOf, tasks } from "../verified-run.js";

const plan = planOf("pmtl", { rounds: 2, epsilon: 5 });
const session = "ab".repeat(16);
const told = { m: tasks.m, rows: tasks.size, mostRows: 15 };

/** A helper that knows the plan, and what it does on a message. */
function helping() {
  const name = { run: plan.run, helper: "helper", key: helper.secret };
  const machine = new HelperMachine({ ...name, agreed: planHash(plan), records: [] });
  const envelope = { run: plan.run, session, plan: planHash(plan), participant: "helper" };
  const hear = (body: Body) =>
    machine.handle({ type: "message", scope: "own", message: encodeMessage(envelope, body) });
  machine.handle({ type: "link", state: "up" });
  const effects = hear({ type: "plan", text: canonicalPlan(plan), release: "0.0.0" });
  const said = effects.flatMap((one) => (one.type === "send" ? [decodeMessage(one.message)] : []));
  return { hear, state: (said.at(-1) as { state?: string }).state! };
}

/** What the leader sends of an honest report in the first attempt at a round. */
function reported(round: number): Uint8Array {
  if (plan.aggregation?.kind !== "two-aggregators") throw new Error("the plan has aggregators");
  const keys = aggregatorKeys(plan.aggregation);
  const releases = verifiedTerms(plannedMethod(plan, { ...told, d: tasks.d }).releases);
  const terms = releases[round - 1];
  const named = { plan: planHash(plan), run: plan.run, session, sizes: { ...told, d: tasks.d } };
  const attempt = attemptSession(named, round, 1);
  const at = { terms: terms!, session: attempt };
  const verifyKey = verifyKeyOf(terms!, attempt, leader, keys);
  const random = { mode: "secure" } as const;
  const report = makeReport({
    ...at,
    participant: "p0.0",
    aggregators: keys,
    integers: new Float64Array(terms!.grid.entries),
    random: randomBytesFrom(random),
  });
  const reception = new Leader({ ...at, verifyKey, keys: leader, random, round }).receive(
    "p0.0",
    report,
  );
  if (reception.kind !== "forward") throw new Error(reception.kind);
  return reception.message;
}

test("it keeps to the sizes that it was told first, and says once that its share was given", () => {
  const { hear, state } = helping();
  const at = { ...told, round: 1, attempt: 1, state };
  const sentBy = (body: Body) => hear(body).filter(({ type }) => type === "send");
  expect(sentBy({ type: "check", reporter: "p0.0", bytes: reported(1), ...at })).toHaveLength(1);
  const give = { type: "give", included: ["p0.0"], ...at } as const;
  for (const other of [{ m: told.m + 1 }, { rows: told.rows + 1 }, { mostRows: 16 }])
    expect(sentBy({ ...give, ...other })).toEqual([]);
  const shares = [hear(give), hear(give)].map((effects) => ({
    sent: effects.filter(({ type }) => type === "send").length,
    heard: effects.flatMap((one) =>
      one.type === "status" && one.status.kind === "given" ? [one.status.reports] : [],
    ),
  }));
  expect(shares).toEqual([
    { sent: 1, heard: [1] },
    { sent: 1, heard: [] },
  ]);
});

test("it gives no share of a round while an earlier one is open, and charges nothing", () => {
  const { hear, state } = helping();
  const at = { ...told, round: 2, attempt: 1, state };
  const check = hear({ type: "check", reporter: "p0.0", bytes: reported(2), ...at });
  expect(check.map(({ type }) => type)).toContain("send");
  const effects = hear({ type: "give", included: ["p0.0"], ...at });
  const types = effects.map(({ type }) => type);
  for (const type of ["send", "append", "fail"]) expect(types).not.toContain(type);
});

test("it keeps no record of attempts beyond the most that there are", () => {
  const { hear, state } = helping();
  const at = { ...told, round: 1, state, reporter: "p0.0", bytes: Uint8Array.of(1) };
  const typesAt = (attempt: number) =>
    hear({ type: "check", attempt, ...at }).map(({ type }) => type);
  expect(typesAt(MOST_ATTEMPTS)).toContain("append");
  expect(typesAt(MOST_ATTEMPTS + 1)).toEqual(["status"]);
});

test("its records say which attempts are used, and that it is over where every sum was given", () => {
  const stateOf = (records: readonly HelperRecord[]) =>
    readHelperState(records.map(encodeHelperRecord));
  const sizes = { type: "sizes", ...told } as const;
  const given = (round: number): HelperRecord => {
    return { type: "given", round, attempt: 3, bytes: Uint8Array.of(round) };
  };
  const attempts = [1, 3].map((attempt) => ({ type: "attempt", round: 1, attempt }) as const);
  const first = [{ ...sizes, sums: 2 }, ...attempts, given(1)];
  expect(stateOf(first)).toMatchObject({ sizes: told, over: false });
  expect([...stateOf(first).used]).toEqual([[1, 3]]);
  expect(stateOf(first).given).toEqual([{ round: 1, attempt: 3, bytes: Uint8Array.of(1) }]);
  expect(stateOf([...first, given(2)]).over).toBe(true);
  // Of a store that does not say how many there are nothing is known to be the last.
  expect(stateOf([]).over).toBe(false);
  expect(stateOf([sizes]).over).toBe(false);
  expect(stateOf([sizes, given(1)]).over).toBe(false);
});
