/** What comes of an argument that a method misses: an error of the library's that names it, never one that an engine makes, nor one that shows rows. */
import { expect, test } from "vitest";
import * as federation from "../../src/federation/index.js";
import * as everything from "../../src/index.js";
import { TaskMoments } from "../../src/node/index.js";
import { gaussianEvent, Ledger } from "../../src/privacy/index.js";
import { makeTasks } from "../learning/tasks.js";

const tasks = makeTasks({ m: 2, d: 2, rows: () => 6 });
const [first] = tasks.names as [string];
const rows = { site: ["a", "a", "b"], u: [1, 2, 3], y: [2, 3, 1] };
const table = everything.tableFrom(rows);
const encoding = everything.TableEncoding.fit(table, { task: "site", target: "y" });
const pipeline = everything.Pipeline.fit(tasks, [{ kind: "unit-rows" }]);
const ledger = new Ledger({ epsilon: 1, delta: 1e-5, adjacency: "replace" });
const model = await new everything.SingleTask().fit(tasks);
const participant = new federation.ParticipantMachine({
  run: "trial",
  participant: "north",
  data: tasks,
});

/** A call that lacks something, and how the error that says so begins. */
const CALLS: readonly [call: (unknown: never) => unknown, says: string][] = [
  [(none) => ledger.charge(gaussianEvent({ sigma: 9 }), none), "where: expected an object"],
  [(none) => ledger.charge(none, { round: 1 }), "event: expected"],
  [(none) => tasks.task(none), "name: expected a text"],
  [() => tasks.indexOf(tasks as never), "name: expected a text, got object"],
  [(none) => tasks.select(none), "select: expected an array"],
  [(none) => tasks.splitBy(none), "rule: expected a function"],
  [(none) => tasks.where(none), "rule: expected a function"],
  [(none) => tasks.withFeatures(tasks.x, none), "featureNames: expected an array"],
  [(none) => new TaskMoments().add(none), "chunk: expected an object"],
  [() => new TaskMoments().add({} as never), "chunk.featureNames: expected an array"],
  [(none) => pipeline.apply(none), "tasks: expected a task set"],
  [(none) => pipeline.applyRows(none, tasks.x), "task: expected a text"],
  [(none) => pipeline.applyRows(first, none), "x: expected an array"],
  [(none) => pipeline.applySparse(none), "rows: expected an object"],
  [() => pipeline.applySparse({} as never), "rows.values: expected an array"],
  [(none) => table.column(none), "name: expected a text"],
  [(none) => table.numbers(none), "name: expected a text"],
  [(none) => table.select(none), "rows: expected an object"],
  [(none) => encoding.apply(none), "table: expected a table"],
  [(none) => encoding.applyToAny(none), "table: expected a table"],
  [(none) => encoding.features(none), "table: expected a table"],
  [(none) => encoding.withMeansOf(none), "table: expected a table"],
  [(none) => model.outputs(none), "tasks: expected a task set"],
  [(none) => model.score(none), "tasks: expected a task set"],
  [(none) => model.predict(first, none), "rows: expected an array of rows"],
  [(none) => model.predict(none, [[1, 2]]), "name: expected the name of a task"],
  [(none) => model.forTask(none), "name: expected the name of a task"],
  [(none) => model.forTask(first).sparseOutputs(none), "rows: expected an object"],
  [() => model.forTask(first).sparseOutputs({} as never), "rows.starts: expected an array"],
  [() => participant.complete(), "complete: to be called where"],
];

test.each(CALLS.map(([call, says]) => [says, call] as const))("%s (%#)", async (says, call) => {
  const called = async () => await call(undefined as never);
  const error = await called().then(
    () => undefined,
    (found: unknown) => found as Error,
  );
  expect(error?.message).toMatch(new RegExp(`^${says}`));
  expect(error?.message.length).toBeLessThan(200);
});
