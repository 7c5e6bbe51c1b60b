/** A liar on the wire, in a plan with two aggregators; and what a helper does for a curator that wants too much. */
import { describe, expect, test } from "vitest";
import {
  decodeMessage,
  encodeMessage,
  makePlan,
  planHash,
  type ParticipantTransport,
} from "../../../../src/federation/index.js";
import { plannedMethod } from "../../../../src/federation/protocol/plan/planned-method.js";
import { HelperRounds } from "../../../../src/federation/verified-sums/run/helper-rounds.js";
import {
  readHelperState,
  encodeHelperRecord,
} from "../../../../src/federation/verified-sums/run/helper-records.js";
import {
  Leader,
  makeReport,
  randomBytesFrom,
  simulateVerifiedSums,
  verifiedTerms,
} from "../../../../src/federation/verified-sums/index.js";
import { aggregatorKeys } from "../../../../src/federation/verified-sums/plan/planned.js";
import {
  attemptSession,
  reporterName,
  verifyKeyOf,
  type NamedRun,
} from "../../../../src/federation/verified-sums/aggregators/round-name.js";
import { helper, leader, names, planOf, run, tasks, weightsOf } from "../verified-run.js";

const OPTIONS = { rounds: 2, epsilon: 5 };
const plan = planOf("pmtl", OPTIONS);
const sizes = { m: tasks.m, d: tasks.d, rows: tasks.size, mostRows: 15 };
const terms = verifiedTerms(plannedMethod(plan, sizes).releases);
const random = randomBytesFrom({ mode: "seeded", seed: "liar" });
if (plan.aggregation?.kind !== "two-aggregators") throw new Error("the plan has aggregators");
const { aggregation } = plan;
const keys = aggregatorKeys(aggregation);

/** Puts reports of vectors twice as long as the clip in the place of a participant's own. */
function lying(transport: ParticipantTransport, participant: string): ParticipantTransport {
  const own = tasks.names.flatMap((_, i) => (names[i % names.length] === participant ? [i] : []));
  const lie = (message: Uint8Array): Uint8Array => {
    const said = decodeMessage(message);
    if (said.type !== "aggregate") return message;
    const { round, attempt, session } = said;
    const named = { plan: planHash(plan), run: plan.run, session, sizes };
    const at = terms[round - 1]!;
    const integers = new Float64Array(at.grid.entries);
    integers[0] = 2 * at.grid.lattice.radius;
    const bytes = Buffer.concat(
      own.map((position) =>
        makeReport({
          terms: at,
          session: attemptSession(named, round, attempt),
          integers,
          random,
          participant: reporterName(participant, position),
          aggregators: keys,
        }),
      ),
    );
    return encodeMessage(said, { type: "aggregate", round, attempt, bytes });
  };
  return { ...transport, send: (message) => transport.send(lie(message)) };
}

test("liars are refused by name in every round; the others' models are those of a run without them, to the bit", async () => {
  const liars = ["p1", "p3"];
  const { models, statuses } = await run(plan, {
    transports: (name, transport) => (liars.includes(name) ? lying(transport, name) : transport),
  });
  const absent = await simulateVerifiedSums({
    plan: makePlan({ ...plan, aggregation: null }),
    tasks,
    reported: (task, _round, integers) =>
      liars.includes(names[tasks.names.indexOf(task) % names.length]!) ? undefined : integers,
  });
  const honest = weightsOf(models);
  absent.taskNames.forEach((name, i) => {
    const weights = absent.weights.slice(i * absent.d, (i + 1) * absent.d);
    expect(honest.get(name)).toEqual([...weights]);
  });
  const closed = statuses.filter(({ kind }) => kind === "closed");
  // Three tasks are the liars': task-1, task-3 and task-6.
  expect(closed).toMatchObject([{ present: 4 }, { present: 4 }]);
  const refused = statuses.filter((status) => status.kind === "refused");
  expect(new Set(refused.map(({ participant }) => participant))).toEqual(new Set(liars));
  for (const { why } of refused) expect(why).toBe("its report: proof");
});

describe("a helper whose curator wants more than the plan", () => {
  const named: NamedRun = { plan: planHash(plan), run: plan.run, session: "ab".repeat(16), sizes };
  const open = (records: readonly Uint8Array[] = []) =>
    new HelperRounds({ ...plan, aggregation }, named, helper, readHelperState(records));
  const at = terms[0]!;

  /** Leads an attempt at the first round with one honest report. */
  function lead(rounds: HelperRounds, attempt: number) {
    const session = attemptSession(named, 1, attempt);
    const verifyKey = verifyKeyOf(at, session, leader, keys);
    const noise = { mode: "secure" } as const;
    const leading = new Leader({
      terms: at,
      session,
      verifyKey,
      keys: leader,
      random: noise,
      round: 1,
    });
    const integers = new Float64Array(at.grid.entries);
    const report = makeReport({
      terms: at,
      session,
      participant: "p0.0",
      aggregators: keys,
      integers,
      random,
    });
    const reception = leading.receive("p0.0", report);
    if (reception.kind !== "forward") throw new Error(reception.kind);
    return rounds.check({ round: 1, attempt }, "p0.0", reception.message, () => undefined);
  }

  test("both derive one key to check with, which needs one of their secrets", () => {
    const session = attemptSession(named, 1, 1);
    expect(verifyKeyOf(at, session, helper, keys)).toEqual(verifyKeyOf(at, session, leader, keys));
    const other = attemptSession(named, 1, 2);
    expect(verifyKeyOf(at, other, helper, keys)).not.toEqual(
      verifyKeyOf(at, session, helper, keys),
    );
  });

  test("a second sum of a round is not given, in this process or in a later one", () => {
    const rounds = open();
    const records = lead(rounds, 1).keep.map(encodeHelperRecord);
    const first = rounds.give({ round: 1, attempt: 1 }, ["p0.0"]);
    expect(first.say).toMatchObject({ type: "given", round: 1, attempt: 1 });
    records.push(...first.keep.map(encodeHelperRecord));
    expect(rounds.ledger.entries).toHaveLength(1);
    for (const known of [rounds, open(records)]) {
      // The same one is said again, to the bit, whatever it is said to be of.
      expect(known.give({ round: 1, attempt: 1 }, [])).toEqual({ keep: [], say: first.say });
      const checked = lead(known, 2);
      expect(checked.say).toBeUndefined();
      expect(checked.why).toContain("a round again whose sum was given out");
      expect(known.give({ round: 1, attempt: 2 }, ["p0.0"]).why).toContain("was given out");
      expect(known.ledger.entries).toHaveLength(1);
    }
  });

  test("no sum of reports that it did not find valid, of a round out of turn, or of an attempt it lost", () => {
    const rounds = open();
    const { keep } = lead(rounds, 1);
    expect(rounds.give({ round: 1, attempt: 1 }, ["p0.0", "p1.1"]).why).toContain("not valid here");
    expect(rounds.give({ round: 1, attempt: 1 }, ["p0.0", "p0.0"]).why).toContain("not valid here");
    expect(rounds.give({ round: 2, attempt: 1 }, []).say).toMatchObject({ type: "withheld" });
    const later = open(keep.map(encodeHelperRecord));
    expect(later.give({ round: 1, attempt: 1 }, ["p0.0"]).say).toMatchObject({ type: "withheld" });
    expect(lead(later, 1).say).toMatchObject({ type: "withheld" });
    expect(lead(later, 2).say).toMatchObject({ type: "checked" });
    for (const { ledger } of [rounds, later]) expect(ledger.entries).toHaveLength(0);
  });

  test("a report made for other sizes opens nowhere", () => {
    const other = { ...named, sizes: { ...sizes, m: 70 } };
    expect(attemptSession(other, 1, 1)).not.toEqual(attemptSession(named, 1, 1));
  });
});
