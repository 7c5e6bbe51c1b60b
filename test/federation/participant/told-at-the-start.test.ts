/**
 * What a curator tells a participant at the start. Who was told the same place for two of its tasks would show one of them twice: in a
 * secure sum that is twice what its noise is for. Who was told other sizes before a restart would go on with integers of one
 * grid among noise of another.
 */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { readStoredState } from "../../../src/federation/participant/participant-records.js";
import { ParticipantRounds } from "../../../src/federation/participant/participant-rounds.js";
import { startRun } from "../../../src/federation/participant/start-run.js";
import { plannedMethod } from "../../../src/federation/protocol/plan/planned-method.js";
import { releasesDigest } from "../../../src/federation/protocol/plan/releases-digest.js";
import { PartyOutput } from "../../../src/federation/protocol/party/party-output.js";
import { makeTasks } from "../../learning/tasks.js";
import { planFor } from "../runs.js";

const tasks = makeTasks({ m: 3, d: 2, rows: () => 8 });
const plan = planFor(tasks, { method: "mp-feature-learning", options: { rounds: 1 } });
const own = tasks.select(["task-0", "task-1"]);

/** What a curator of this release says that it will release. */
const releasesOf = (sizes: { m: number; rows: number; mostRows: number }) =>
  releasesDigest(plannedMethod(plan, { d: 2, ...sizes }).releases);

const sizes = { m: 3, rows: 24, mostRows: 8 };
const start = {
  ...({ run: "run", session: "s", plan: "p", participant: "north" } as const),
  ...({ type: "start", ...sizes, round: 1, given: false } as const),
  releases: releasesOf(sizes),
  values: new Float64Array(0),
};
const begin = (positions: readonly number[]) => () =>
  startRun({ ...start, positions }, {
    options: {},
    plan,
    data: own,
    before: { shown: [], received: [] },
    output: {},
    question: {},
  } as never);

test("one place of two tasks: one of them would be shown twice", () => {
  const sizes = { m: 3, d: 2, rows: 24, mostRows: 8 };
  const shown = (positions: readonly number[]) => {
    const terms = { sizes, positions, start: null };
    const rounds = new ParticipantRounds(plan, own, terms, [], openCore());
    const values = [...rounds.upload()];
    return [values.slice(0, values.length / 2), values.slice(values.length / 2)];
  };
  const [first, second] = shown([0, 1]);
  expect(first).not.toEqual(second);
  expect(shown([2, 2])).toEqual([first, first]);
});

test("it is refused, as places are that the run does not have, and another number of them", () => {
  const refused = "start: the curator knows other tasks than were registered";
  for (const positions of [[0, 0], [2, 2], [0], [0, 1, 2], [1, 3]]) {
    expect(begin(positions), positions.join()).toThrow(refused);
  }
  for (const positions of [
    [0, 1],
    [2, 0],
  ])
    expect(begin(positions)).not.toThrow();
});

describe("after a restart", () => {
  /** Starts from what earlier processes kept; what they and this one kept. */
  function startedFrom(records: readonly Uint8Array[], told: object): Uint8Array[] {
    const output = new PartyOutput("run", "north");
    startRun({ ...start, positions: [0, 1], ...told }, {
      options: { records },
      plan,
      data: own,
      before: readStoredState(records),
      output,
      question: {},
    } as never);
    const kept = output.take().flatMap((e) => (e.type === "append" ? [e.record] : []));
    return [...records, ...kept];
  }
  const owners = { rows: [8, 8, 8], epsilons: [1, 1, 1] };

  test("other sizes or places than were told before are refused: held integers and shares of noise are of those", () => {
    const records = startedFrom([], {});
    expect(records).toHaveLength(1);
    for (const told of [
      { m: 2 ** 30, rows: 8 * 2 ** 30 },
      { rows: 25 },
      { mostRows: 9 },
      { positions: [1, 0] },
      { owners },
    ]) {
      expect(() => startedFrom(records, told), JSON.stringify(told)).toThrow(
        "start: the curator tells other sizes than it told before",
      );
    }
  });

  test("with the same it goes on, in whatever round, and keeps nothing new", () => {
    const records = startedFrom([], {});
    expect(startedFrom(records, {})).toEqual(records);
    expect(startedFrom(records, { round: 2 })).toEqual(records);
  });
});
