/** Predictions of the page for a person's own table: known tasks by their models, others by what all have in common. */
import { beforeAll, expect, test } from "vitest";
import { watchedFit } from "../../page/src/work/fit.js";
import type { FitOutcome, TableChoice } from "../../page/src/work/messages.js";
import { predictFile } from "../../page/src/work/predict.js";
import { loadTable } from "../../page/src/work/table.js";
import { seededUniforms } from "../../src/data/split/shuffle.js";
import { loadModel } from "../../src/model/index.js";

const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;
const choice: TableChoice = {
  task: "clinic",
  target: "back",
  features: ["age", "ward"],
  categorical: ["ward"],
  loss: "logistic",
  rangesFrom: "stated",
  ranges: { age: [0, 80] },
  levelsPublic: true,
  scaling: "method",
};

function clinics(): string {
  const uniform = seededUniforms("clinics", "page");
  const rows = Array.from({ length: 60 * 12 }, (_, at) => {
    const [age, ward] = [Math.round(80 * uniform()), uniform() > 0.5 ? "med" : "surg"];
    const chance = 0.15 + (0.7 * age) / 80;
    return `c${at % 60},${age},${ward},${uniform() < chance ? "yes" : "no"}`;
  });
  return ["clinic,age,ward,back", ...rows].join("\n");
}

let outcome: FitOutcome;
beforeAll(async () => {
  const data = await loadTable({
    file: { name: "t.csv", bytes: bytes(clinics()) },
    choice,
    split: 0,
  });
  const options = { epsilon: 5, random: { mode: "seeded", seed: 1 } };
  outcome = await watchedFit({ data, method: "mp-mixed", options }, () => undefined);
});

const predict = (text: string, model = outcome.file) =>
  predictFile({ model, file: { name: "new.csv", bytes: bytes(text) } });
const numbers = (csv: string) =>
  csv.trim().split("\n").slice(1).map((line) => Number(line.split(",")[1])); // prettier-ignore

test("known tasks are predicted by their models, new ones by what all have in common", async () => {
  const made = await predict("clinic,age,ward\nc3,70,med\nnobody,70,med\nnew,70,med\nnew,5,odd\n");
  expect(made).toMatchObject({ rows: 4, newTasks: 2, leftOut: 0, unexpected: 1 });
  expect(made.csv.split("\n")[0]).toBe("task,probability,label,probability=no,probability=yes");
  const [own, one, other, young] = numbers(made.csv);
  const model = loadModel(outcome.file);
  // Ages are scaled by the stated range; ward has the levels med and surg, and no gaps.
  const row = Float64Array.of(70 / 40 - 1, 0);
  expect(model.featureNames).toEqual(["age", "ward=surg"]);
  expect(own).toBe(model.predict("c3", row)[0]);
  expect(one).toBe(model.predictNew!(row)[0]);
  expect(other).toBe(one);
  expect(young).toBeLessThan(one!);
});

test("a category has a column for gaps where rows with a target have some", async () => {
  const namesOf = async (text: string) =>
    (await loadTable({ file: { name: "t.csv", bytes: bytes(text) }, choice, split: 0 })).train
      .featureNames;
  const table = clinics();
  expect(await namesOf(`${table}\n,,,\nc1,30,,\n`)).toEqual(["age", "ward=surg"]);
  expect(await namesOf(`${table}\nc1,30,,yes\n`)).toEqual([
    "age",
    "ward=med",
    "ward=surg",
    "ward=missing",
  ]);
});

test("a model that says nothing of others refuses their rows, and a table without its columns is refused", async () => {
  await expect(predict("clinic,age\nc3,70\n")).rejects.toThrow('no column "ward"');
  const data = await loadTable({
    file: { name: "t.csv", bytes: bytes(clinics()) },
    choice,
    split: 0,
  });
  const alone = await watchedFit({ data, method: "single-task", options: {} }, () => undefined);
  await expect(predict("clinic,age,ward\nnobody,70,med\n", alone.file)).rejects.toThrow(
    'task "nobody" is not among the 60 tasks',
  );
});
