/** One task's own model: through JSON and clones to the same bits, and what it says of rows that are none. */
import { describe, expect, test } from "vitest";
import { DataError, OptionError } from "../../../../src/core/index.js";
import { Pipeline, readCsv, TaskSet, tasksFromTable } from "../../../../src/data/index.js";
import { makeEstimator, TaskModel, type FittedModel } from "../../../../src/learning/index.js";
import type { TaskModelState } from "../../../../src/learning/fitted/task/task-model-state.js";
import { loadModel, saveModel } from "../../../../src/model/index.js";
import { makeTasks } from "../../tasks.js";

const numbers = makeTasks({ m: 20, d: 3, rows: () => 8 });
const labelled = (labels: readonly string[]) =>
  TaskSet.from(
    [...numbers].map(({ name, x, y }) => ({
      name,
      x,
      y: Array.from(y, (_, row) => labels[row % labels.length]!),
    })),
  );
const given = { epsilon: 3, scale: "unit" };
const far = [
  [1e6, -1e6, 1e6],
  [0.1, 0.2, 0.3],
];

/** The memory that arrays in a value lie in, and how many bytes of each are theirs. */
function memoryOf(value: unknown, found = new Map<ArrayBufferLike, number>()) {
  if (ArrayBuffer.isView(value)) {
    found.set(value.buffer, (found.get(value.buffer) ?? 0) + value.byteLength);
  } else if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) memoryOf(part, found);
  }
  return found;
}

describe("a task's model", () => {
  const methods: [string, string, Record<string, unknown>, TaskSet][] = [
    ["features within limits", "mp-mixed", given, numbers],
    ["features within a task's own limits", "single-task", { intercept: true }, numbers],
    ["an average over a posterior", "mp-mixed", { ...given, loss: "logistic" }, labelled(["no", "yes"])],
    ["several classes", "pmtl", { loss: "softmax", intercept: true }, labelled(["a", "b", "c"])],
  ]; // prettier-ignore

  test.each(methods)("%s: the same through JSON and a clone", async (_, method, options, tasks) => {
    const model = await makeEstimator(method, options).fit(tasks);
    const own = model.forTask("task-3");
    const texts = [JSON.stringify(own), JSON.stringify({ ...own })];
    for (const state of [
      ...texts.map((text) => JSON.parse(text) as object),
      structuredClone(own),
    ]) {
      const again = new TaskModel(state as TaskModel);
      expect(again.predict(far)).toEqual(own.predict(far));
      expect(again.protection).toEqual(own.protection);
      expect(again.weights).toBeInstanceOf(Float64Array);
      if (own.classes) expect(again.predictLabels(far)).toEqual(own.predictLabels(far));
    }
    expect(texts[0]).toMatch(/"weights":\[/);
    expect(texts[0]).not.toContain("task-4");
    // A clone takes along all memory that arrays are parts of: none of it may be other tasks'.
    for (const [memory, bytes] of memoryOf(own)) {
      expect(bytes).toBe(memory.byteLength);
    }
  });

  test("refuses what was none, and code that was lost", () => {
    const state = { ...sample(), weights: "1,2,3" } as never;
    expect(() => new TaskModel(undefined as never)).toThrow("task model: expected what forTask");
    expect(() => new TaskModel(state)).toThrow(/^task model: weights: expected numbers/);
    const network = { ...sample(), architecture: JSON.parse("{}") as never };
    expect(() => new TaskModel(network)).toThrow(/^architecture: .* keeps its code$/);
  });

  test("takes numbers for numbers only: a missing value is no 0", () => {
    const model = new TaskModel(sample());
    expect(model.predict([Float32Array.of(1, 2, 3)] as never)[0]).toBe(6);
    for (const [value, kind] of [[null, "null"], ["2", "string"], [true, "boolean"], [2n, "bigint"], [undefined, "undefined"]]) {
      const row = [1, value, 3] as number[];
      expect(() => model.predict([row])).toThrow(`row 0, column 1: expected a number, got ${kind as string}`);
    } // prettier-ignore
    const holes = new Array<number>(3);
    expect(() => model.predict([holes])).toThrow(DataError);
  });
});

const sample = (): TaskModelState => ({
  method: "single-task",
  loss: "squared",
  classes: null,
  task: "a",
  featureNames: ["x1", "x2", "x3"],
  weights: Float64Array.of(1, 1, 1),
  intercepts: null,
  architecture: null,
  guarantee: { kind: "none", private: false, why: "a test" },
});

describe("what a program may hand over by mistake", () => {
  let model: FittedModel;
  const fitted = async () => (model ??= await makeEstimator("single-task").fit(numbers));

  test("bytes as hosts give them are read, and others refused", async () => {
    const bytes = saveModel(await fitted());
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 3)).subarray(3);
    shared.set(bytes);
    for (const form of [bytes.buffer, Buffer.from(bytes), shared, new DataView(bytes.buffer)]) {
      expect(loadModel(form as Uint8Array).weights).toEqual(model.weights);
    }
    for (const none of [undefined, null, "text", 5, {}]) {
      expect(() => loadModel(none as never)).toThrow(/^loadModel: expected the bytes of a file/);
    }
    const own = model.forTask("task-1");
    for (const none of [own, undefined, null, {}]) {
      expect(() => saveModel(none as never)).toThrow(/^saveModel: expected what fit returns/);
    }
  });

  test("rows in the place of a name are in no message, nor a seed in that of a source", async () => {
    const rows = [[123.456, 2, 3]] as never;
    expect(() => model.predict(rows, [])).toThrow(
      /^name: expected the name of a task, got object$/,
    );
    let said = "";
    try {
      makeEstimator("pmtl", { random: "my secret seed" });
    } catch (error) {
      expect(error).toBeInstanceOf(OptionError);
      said = String(error);
    }
    expect(said).toContain("random: expected");
    expect(said).not.toContain("secret seed");
    const fit = (hooks: object) => makeEstimator("pmtl", {}).fit(numbers, hooks);
    await expect(fit({ signal: true })).rejects.toThrow(
      /signal: expected an AbortSignal, got bool/,
    );
    await expect(fit({ onRound: 1 })).rejects.toThrow(/onRound: expected a function, got number/);
    await expect(fit({ journal: true })).rejects.toThrow(/journal: expected a journal, as openJ/);
    // Else the guarantee would list its letters.
    await expect(fit({ notCharged: "a scaler" })).rejects.toThrow(/notCharged: expected an array/);
    expect(() => Pipeline.fit(numbers, { kind: "unit-rows" } as never)).toThrow(
      /expected an array/,
    );
    const reading = readCsv("who,age,y\na,1,2");
    const roles = { task: "who", target: "y" };
    expect(() => tasksFromTable(reading as never, roles)).toThrow(
      /^table: expected a table, got a promise: await/,
    );
    const table = await reading;
    expect(() => tasksFromTable(table, { ...roles, features: "age" as never })).toThrow(/features: expected an array/); // prettier-ignore
    expect(() => numbers.select("task-1" as never)).toThrow(/^select: expected an array of task/);
    expect(() => makeEstimator("mp-mixd")).toThrow('Did you mean "mp-mixed"');
  });
});
