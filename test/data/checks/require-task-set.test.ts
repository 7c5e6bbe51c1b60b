/**
 * What a caller is told who hands over rows, or nothing, where a task set, rows or a file's name belongs.
 */
import { expect, test } from "vitest";
import { inspectTable, readTable, TaskSet } from "../../../src/data/index.js";
import { Auto, MpMixed, SingleTask } from "../../../src/learning/index.js";
import { saveModel } from "../../../src/model/index.js";

const rows = [
  { name: "a", x: [[1], [2]], y: [1, 2] },
  { name: "b", x: [[1], [3]], y: [1, 3] },
];
const none = undefined as never;

test("fits and scores of rows that are no task set say what makes one", async () => {
  const array =
    "data: expected a task set, got an array; TaskSet.from([{ name, x, y }, …]) makes one";
  for (const estimator of [new SingleTask(), new MpMixed({ epsilon: 1 }), new Auto()]) {
    await expect(estimator.fit(rows as never)).rejects.toThrow(array);
    await expect(estimator.fit(none)).rejects.toThrow("data: expected a task set, got undefined");
  }
  const model = await new SingleTask().fit(TaskSet.from(rows));
  expect(() => model.score(rows as never)).toThrow("tasks: expected a task set, got an array");
});

test("predictions of one row, or of nothing, say what rows are", async () => {
  const model = await new SingleTask().fit(TaskSet.from(rows));
  const predict = (given: unknown) => () => model.predict("a", given as number[][]);
  const what = "rows: expected an array of rows, each an array of 1 numbers, got";
  expect(predict([1])).toThrow(`${what} an array of numbers; one row is [[…]]`);
  expect(predict(none)).toThrow(`${what} undefined`);
  expect(predict(null)).toThrow(`${what} null`);
  expect(predict([[1]])()).toEqual(predict(Float64Array.of(1))());
});

test("what was not awaited is told so", async () => {
  const promise = Promise.resolve(TaskSet.from(rows));
  const got = "got a promise: await it";
  await expect(new SingleTask().fit(promise as never)).rejects.toThrow(`a task set, ${got}`);
  const model = new SingleTask().fit(TaskSet.from(rows));
  expect(() => saveModel(model as never)).toThrow(`the models of all tasks, ${got}`);
  const table = readTable(new Blob(["a,b\n1,2"]), { name: "t.csv" });
  expect(() => inspectTable(table as never)).toThrow(`a table, ${got}`);
  await Promise.all([model, table]);
});

test("a path is told where paths are read", async () => {
  await expect(readTable("rows.csv" as never, none)).rejects.toThrow(
    "source: expected bytes, a Blob or a stream, got string; in Node readTable of mp-mtl/node reads",
  );
});

test("a table without a name says what the name is for", async () => {
  await expect(readTable(new Blob(["a,b\n1,2"]), none)).rejects.toThrow(
    'name: expected the name of the file, which tells its format ({ name: "rows.csv" }), got undefined',
  );
});
