/**
 * A curator that tells a participant where its tasks stand. Who was told the same place for two of them would show one task twice: in
 * a secure sum that is twice what its noise is for.
 */
import { expect, test } from "vitest";
import { openCore } from "../../src/core/index.js";
import { ParticipantRounds } from "../../src/federation/participant/participant-rounds.js";
import { startRun } from "../../src/federation/participant/start-run.js";
import { makeTasks } from "../learning/tasks.js";
import { planFor } from "./runs.js";

const tasks = makeTasks({ m: 3, d: 2, rows: () => 8 });
const plan = planFor(tasks, { method: "mp-feature-learning", options: { rounds: 1 } });
const own = tasks.select(["task-0", "task-1"]);

const begin = (positions: readonly number[]) => () =>
  startRun(
    {
      ...{ run: "run", session: "s", plan: "p", participant: "north" },
      ...{ type: "start", m: 3, rows: 24, mostRows: 8, round: 1, given: false, positions },
      values: new Float64Array(0),
    },
    {
      ...{ options: {}, plan, data: own, before: { shown: [], received: [] } },
      ...{ output: {}, question: {} },
    } as never,
  );

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
