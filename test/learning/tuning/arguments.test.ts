/** What is missing or wrong among the arguments of a choice is refused by name, before anything is fitted. */
import { expect, test } from "vitest";
import { simulate } from "../../../src/data/index.js";
import { audit, crossValidate, expandGrid, selectPrivately } from "../../../src/learning/index.js";

const { train } = simulate({ pattern: "low-rank", tasks: 6, features: 3, samples: 8, seed: 1 });

/** Calls as they come from code without types. */
const untyped = <T>(call: (...args: never[]) => Promise<T>) =>
  call as unknown as (...args: unknown[]) => Promise<T>;

const search = { method: "single-task", candidates: [{}], seed: 1 };
test.each([
  [[], "tasks: expected a task set, got undefined"],
  [[[], search], "tasks: expected a task set, got an array"],
  [[train], "crossValidate: expected an object, got undefined"],
  [[train, { ...search, candidates: undefined }], "candidates: expected an array of objects"],
  [[train, { ...search, candidates: { lambda: [1] } }], "candidates: expected an array of objects"],
  [[train, { ...search, candidates: [null] }], "candidates: expected an array of objects"],
  [[train, { ...search, candidates: [] }], "candidates: expected at least one"],
  [[train, { ...search, seed: undefined }], "seed: expected"],
  [[train, { ...search, options: null }], "options: expected an object"],
  [[train, { ...search, oneStandardError: "no" }], "oneStandardError: expected true or false"],
  [[train, { ...search, fold: 3 }], 'crossValidate: "fold" is not known here'],
])("crossValidate %#", async (args, message) => {
  await expect(untyped(crossValidate)(...args)).rejects.toThrow(message);
});

const choice = { method: "mp-feature-learning", options: { epsilon: 1 }, candidates: [{}, {}] };
test.each([
  [[], "tasks: expected a task set, got undefined"],
  [[train], "selectPrivately: expected an object, got undefined"],
  [[train, { ...choice, options: undefined }], "options: expected an object"],
  [[train, { ...choice, candidates: undefined }], "candidates: expected an array of objects"],
  [[train, { ...choice, candidates: [1, null] }], "candidates: expected an array of objects"],
  [[train, { ...choice, repetitions: 5 }], "repetitions.kind: expected"],
  [[train, { ...choice, seed: null }], undefined],
  [[train, { ...choice, seed: {} }], "seed: expected"],
  [[train, { ...choice, repetition: "all" }], 'selectPrivately: "repetition" is not known here'],
])("selectPrivately %#", async (args, message) => {
  const asked = untyped(selectPrivately)(...args);
  if (message === undefined) await asked;
  else await expect(asked).rejects.toThrow(message);
});

test.each([
  [undefined, "audit: expected a mechanism, or an estimator with tasks"],
  [{}, "audit: expected a mechanism, or an estimator with tasks"],
  [{ estimator: 1, tasks: train }, "estimator: expected a function"],
  [{ estimator: () => undefined }, "tasks: expected a task set, got undefined"],
])("audit %#", async (options, message) => {
  await expect(untyped(audit)(options)).rejects.toThrow(message);
});

test.each([
  [undefined, "grid: expected an object"],
  [[1], "grid: expected an object"],
  [{ lambda: 1 }, "grid: lambda: expected an array"],
])("expandGrid %#", (grid, message) => {
  expect(() => expandGrid(grid as never)).toThrow(message);
});

test.each([
  [[], "folds: expected a number"],
  [[3], "folds: expected an object, got undefined"],
  [[3, {}], "seed: expected"],
  [[3, { seeds: 1 }], 'folds: "seeds" is not known here'],
])("folds %#", (args, message) => {
  expect(() => train.folds(...(args as unknown as [number, { seed: number }]))).toThrow(message);
});
