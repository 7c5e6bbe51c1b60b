import { describe, expect, test } from "vitest";
import { OptionError } from "../../../src/core/index.js";
import {
  csvTables,
  readCsv,
  readTable,
  simulate,
  simulateLeakage,
  tasksFromTable,
  TaskSet,
} from "../../../src/data/index.js";
import { readTable as readFile, readTables as readFiles } from "../../../src/node/index.js";
import { Auto, Pooled, MpLowRank, SingleTask } from "../../../src/learning/index.js";

// What a program without types, or with a slip, hands over.
const any = <T>(value: object) => value as T;

describe("a misspelt name is refused, with the one that may have been meant", () => {
  const tasks = TaskSet.from([{ name: "a", x: [[1], [2]], y: [1, 2] }]);

  test("by functions that make data", async () => {
    const wrong = any<Parameters<typeof simulate>[0]>({ pattern: "low-rank", task: 5, seed: 1 });
    expect(() => simulate(wrong)).toThrow(OptionError);
    expect(() => simulate(wrong)).toThrow(
      'simulate: "task" is not known here; there are pattern, tasks, samples, features, testFactor, noise, clusters, ' +
        'variance, covariance, activeFeatures, seed. Did you mean "tasks"?',
    );
    expect(() => simulate(any(undefined as never))).toThrow("simulate: expected an object");
    expect(() => simulateLeakage(any({ seed: 1, feature: 3 }))).toThrow('Did you mean "features"?');
    expect(() => tasks.split(any({ trainfraction: 0.5, trainFraction: 0.5, seed: 1 }))).toThrow(
      'split: "trainfraction" is not known here; there are trainFraction, seed. Did you mean',
    );
    const table = await readCsv("t,y,x\na,1,2\n");
    expect(() => tasksFromTable(table, any({ task: "t", target: "y", weight: "x" }))).toThrow(
      'table schema: "weight" is not known here',
    );
  });

  test("by functions that read tables, here and from files", async () => {
    const slip = any<object>({ delimeter: ";" });
    const expected = /: "delimeter" is not known here; .* Did you mean "delimiter"\?/;
    await expect(readCsv("t;y\n1;2\n", slip)).rejects.toThrow(expected);
    expect(() => csvTables("t;y\n1;2\n", slip)).toThrow(expected);
    const named = any<Parameters<typeof readTable>[1]>({ name: "rows.csv", ...slip });
    await expect(readTable(new Uint8Array(), named)).rejects.toThrow(expected);
    await expect(readFile("rows.csv", slip)).rejects.toThrow(expected);
    expect(() => readFiles("rows.csv", slip)).toThrow(expected);
  });

  test("by task sets, where persons or weights would be lost", () => {
    const input = { name: "a", x: [[1], [2]], y: [1, 2] };
    expect(() => TaskSet.from([any({ ...input, person: ["p", "p"] })])).toThrow(
      'task "a": "person" is not known here; there are name, x, y, persons, weights, n. Did you mean "persons"?',
    );
    expect(() => TaskSet.from([input], any({ targetrange: [0, 1] }))).toThrow(
      'options: "targetrange" is not known here',
    );
    expect(TaskSet.from([...tasks]).size).toBe(2);
  });

  test("by every kind of fit", async () => {
    const hooks = any<object>({ onround: () => undefined });
    const estimators = [
      new Auto({ epsilon: 1 }),
      new Pooled(),
      new SingleTask(),
      new MpLowRank({ epsilon: 1, clip: 1 }),
    ];
    for (const estimator of estimators) {
      await expect(async () => estimator.fit(tasks, hooks)).rejects.toThrow(
        /: fit: "onround" is not known here; there are onRound, .* Did you mean "onRound"\?/,
      );
    }
    expect(() => new SingleTask(any({ lamda: 1 }))).toThrow('Did you mean "lambda"?');
  });
});
