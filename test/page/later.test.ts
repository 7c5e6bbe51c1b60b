/** An owner of the page that comes after the fit: its own model, and predictions without any of its rows. */
import { beforeAll, expect, test } from "vitest";
import { loadBuiltIn } from "../../page/src/work/built-in.js";
import { watchedFit } from "../../page/src/work/fit.js";
import { fitLater } from "../../page/src/work/later.js";
import type { FitOutcome, LaterRow, SplitData } from "../../page/src/work/messages.js";
import { laterWords } from "../../page/src/views/keep/later-predictions.js";
import { fromUnit, TableEncoding } from "../../src/data/index.js";
import { fitNewTask } from "../../src/learning/index.js";
import { loadModel } from "../../src/model/index.js";
import { loadTable } from "../../page/src/work/table.js";
import { readAsWritten } from "../../page/src/work/read-as-written.js";
import { someOf } from "../thorough.js";

const options = { epsilon: 3, random: { mode: "seeded", seed: 1 } };
const fitOf = (name: "schools" | "low-rank", method = "mp-mixed"): Promise<FitOutcome> =>
  watchedFit({ data: loadBuiltIn({ name, split: 0 }), method, options }, () => undefined);
const HEADER =
  "school,score,prior test,reading,numeracy,attendance %,age in months,hours of homework,girl,free meals,second language,special support,changed school,older siblings,school bus,sports club";
const row = (school: string, score: number, test: number) =>
  `${school},${score},${test},50,50,93,186,5,1,0,0,0,0,1,0,1`;
const fileOf = (lines: readonly string[]) => ({
  name: "later.csv",
  bytes: new TextEncoder().encode([HEADER, ...lines].join("\n")).buffer as ArrayBuffer,
});
const squares = (rows: readonly LaterRow[], actual: readonly number[]) =>
  rows.reduce((sum, { prediction }, at) => sum + (prediction - actual[at]!) ** 2, 0);

let schools: FitOutcome;
beforeAll(async () => {
  schools = await fitOf("schools");
});

test("one more school: its rows make its predictions better, and intervals hold about four of five", async () => {
  expect(schools.later).toBe(true);
  const later = await fitLater({ model: schools.file, from: "made-up" });
  const [owner] = later.owners;
  const { actual, withRows, without, learned } = owner!;
  expect(owner!.name).toBe("school 161");
  expect(later).toMatchObject({ level: 0.8, classes: null, known: [], dropped: 0 });
  expect(Math.abs(learned - actual.length)).toBeLessThanOrEqual(1);
  expect(squares(withRows, actual)).toBeLessThan(squares(without!, actual));
  const inside = withRows.filter(
    (one, at) => one.lower! <= actual[at]! && actual[at]! <= one.upper!,
  );
  expect(inside.length / actual.length).toBeGreaterThan(0.6);
  expect(laterWords(later, owner!)).toMatch(
    /^school 161: without any of its rows .*Spent: nothing\.$/,
  );
});

test("a file's owners are fitted as the library fits them, each by itself; one of the fit is said to be", async () => {
  const { file: model } = schools;
  const scores = [50, 55, 61, 47, 58, 66];
  const lines = ["new", "school 1"].flatMap((school) =>
    scores.map((score, at) => row(school, score, 90 + 5 * at)),
  );
  const file = fileOf(lines);
  const later = await fitLater({ model, from: { file } });
  expect(later.owners.map(({ name, learned }) => [name, learned])).toEqual([
    ["new", 3],
    ["school 1", 3],
  ]);
  expect(later.known).toEqual(["school 1"]);
  expect(laterWords(later, later.owners[1]!)).toContain("was in the fit");
  const { actual, without } = later.owners[0]!;
  for (const value of actual) expect(scores.some((one) => Math.abs(one - value) < 1e-9)).toBe(true);
  // Without rows two owners whose rows are the same have the same predictions.
  const prior = loadModel(model);
  const table = await readAsWritten(file.bytes, file.name);
  const { tasks } = TableEncoding.fromJSON(prior.preprocessing!.encoding!)
    .forTask(null)
    .apply(table);
  const all = Array.from(prior.predictNew!(tasks.task("new").x));
  for (const { prediction } of without!) expect(all).toContain(prediction);
  const whole = fitNewTask(prior, tasks);
  expect(whole.taskNames).toEqual(["new", "school 1"]);
  expect(fromUnit(tasks.encoding.target.scale!, tasks.task("new").y[0]!)).toBeCloseTo(50, 9);
});

test("labels: probabilities, no intervals", async () => {
  const lines = Array.from({ length: 60 * 12 }, (_, at) => {
    const age = (7 * at + Math.floor(at / 60)) % 80;
    return `c${at % 60},${age},${(age * age + 31 * at) % 80 < age ? "yes" : "no"}`;
  });
  const bytesOf = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;
  const data = await loadTable({
    file: { name: "t.csv", bytes: bytesOf(["clinic,age,back", ...lines].join("\n")) },
    choice: {
      task: "clinic",
      target: "back",
      features: ["age"],
      categorical: [],
      loss: "logistic",
      rangesFrom: "stated",
      ranges: { age: [0, 80] },
      levelsPublic: true,
      scaling: "method",
    },
    split: 0,
  });
  const { file: model, later } = await watchedFit(
    { data, method: "mp-mixed", options },
    () => undefined,
  );
  expect(later).toBe(true);
  const own = ["new,70,yes", "new,60,yes", "new,5,no", "new,9,no"];
  const bytes = bytesOf(["clinic,age,back", ...own].join("\n"));
  const found = await fitLater({ model, from: { file: { name: "x.csv", bytes } } });
  const { actual, withRows } = found.owners[0]!;
  expect(found).toMatchObject({ level: null, classes: ["no", "yes"] });
  expect(actual.every((value) => value === 0 || value === 1)).toBe(true);
  for (const { prediction, lower } of withRows) {
    expect(prediction).toBeGreaterThan(0);
    expect(prediction).toBeLessThan(1);
    expect(lower).toBeNull();
  }
});

test("models without a shared prior, of no table, or of rows scaled by figures of their own say nothing of later owners", async () => {
  const standardized = () => {
    const data: SplitData = {
      ...loadBuiltIn({ name: "schools", split: 0 }),
      scaling: "standardize",
    };
    return watchedFit({ data, method: "mp-mixed", options }, () => undefined);
  };
  const fits = [() => fitOf("schools", "mp-hierarchical"), () => fitOf("low-rank"), standardized];
  for (const fit of someOf(fits, 3)) expect((await fit()).later).toBe(false);
});

test("rows of other columns are refused", async () => {
  const { file: model } = schools;
  const bytes = new TextEncoder().encode("clinic,score\na,1\n").buffer as ArrayBuffer;
  await expect(fitLater({ model, from: { file: { name: "x.csv", bytes } } })).rejects.toThrow(
    'no column "school"',
  );
});
