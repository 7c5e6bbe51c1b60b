/** The promise of a model for readers who know nothing of differential privacy: what it says, and when it says nothing. */
import { expect, test } from "vitest";
import { promiseInWords } from "../../../src/cli/fitted/promise-in-words.js";
import { PrivateFedAvg, SingleTask } from "../../../src/learning/index.js";
import { repetitionsOfMean } from "../../../src/privacy/index.js";
import { makeTasks } from "../../learning/tasks.js";

const tasks = makeTasks({ m: 12, d: 2, rows: () => 4 });
const fit = (options: ConstructorParameters<typeof PrivateFedAvg>[0]) =>
  new PrivateFedAvg({ rounds: 1, epsilon: 3, delta: 1e-5, ...options }).fit(tasks);

test("it has the factor, rounded up, and delta, by adjacency and unit", async () => {
  const model = await fit({});
  const [said] = promiseInWords(model);
  expect(said!.text).toMatch(/^Whatever one task's data had been, all others together would have/);
  // e^3 is 20.0855.
  expect(said!.text).toContain("at most e^3 = 20.1 times as likely, plus 0.00001.");
  expect(said!.text).toContain("3 a fair one");
  const [none] = promiseInWords(await fit({ adjacency: "zero-out" }));
  expect(none!.text).toContain("Whether one task adds what it does or nothing");
  const row = "What holds of a task holds of each of its rows, too.";
  expect(said!.text).toContain(row);
  // A task without one row still adds something: of a row only twice epsilon is promised.
  expect(none!.text).not.toContain(row);
  const [record] = promiseInWords(await fit({ unit: "record" }));
  expect(record!.text).toContain("What is true of a whole task is not hidden.");
  expect(record!.text).not.toContain(row);
});

test("what was learned without a charge is left out of it", async () => {
  const model = await fit({});
  const learned = 'levels of the column "ward" observed over all tasks';
  const notCharged = [...model.guarantee.notCharged, learned];
  const [said] = promiseInWords({
    ...model,
    guarantee: { ...model.guarantee, notCharged },
  });
  expect(said!.text).toContain("That leaves out what was learned of columns without a charge");
  expect(promiseInWords(model)[0]!.text).not.toContain("leaves out");
});

test("it does not call nearly the same what a large epsilon or delta lets differ", async () => {
  const model = await fit({});
  const said = (more: object) =>
    promiseInWords({ ...model, guarantee: { ...model.guarantee, ...more } })[0]!.text;
  expect(said({})).toContain("would have seen nearly the same");
  expect(said({ epsilon: 1000 })).toContain(
    "need not have seen nearly the same: all that is promised is that whatever they see is at most e^1000 times",
  );
  // 10 is hardly a promise, as the same text says.
  for (const epsilon of [3.01, 5, 10])
    expect(said({ epsilon })).toContain("need not have seen nearly the same");
  expect(said({ delta: 0.002 })).toContain(
    "Delta 0.002 means that one task in 500 may be shown whole",
  );
  // Of twelve tasks one, however small epsilon is.
  for (const delta of [1 / 12, 0.5, 0.99]) {
    const text = said({ epsilon: 0.1, delta });
    expect(text).toContain("need not have seen nearly the same");
    expect(text).toMatch(/Delta .* may be shown whole, whatever epsilon says/);
  }
});

test("of records delta is held to how many there are, not to the number of tasks", async () => {
  const text = async (delta: number) =>
    promiseInWords(await fit({ unit: "record", delta }))[0]!.text;
  // Of 48 records one, though there are twelve tasks.
  const large = await text(1 / 40);
  expect(large).toContain("need not have seen nearly the same");
  expect(large).toContain("Delta 0.025 means that one record in 40 may be shown whole");
  const many = makeTasks({ m: 12, d: 2, rows: () => 200 });
  const rows = await new PrivateFedAvg({ rounds: 1, epsilon: 3, delta: 5e-4, unit: "record" }).fit(
    many,
  );
  const [said] = promiseInWords(rows);
  expect(said!.text).toContain("need not have seen nearly the same");
  expect(said!.text).toContain("Delta 0.0005 is large for so many records (below).");
  expect(said!.text).toContain("one in the number of records");
  expect(await text(1e-5)).toContain("would have seen nearly the same");
});

test("it says who the others are not, and what must stay unseen", async () => {
  const model = await fit({});
  const selection = { repetitions: repetitionsOfMean(1, 10) };
  const [chosen] = promiseInWords({
    ...model,
    guarantee: { ...model.guarantee, selection } as typeof model.guarantee,
  });
  expect(chosen!.text).toContain("while nobody sees the runs that were not chosen");
  const [said] = promiseInWords(model);
  expect(said!.text).not.toContain("not chosen");
  expect(said!.text).toContain(
    "Nothing is promised against who is given this task's own model, or must be trusted",
  );
  expect(said!.text).toContain("numbers of rows and labels are public");
});

test("it says nothing where nothing holds, or where a sentence does not say of whom", async () => {
  expect(promiseInWords(await new SingleTask().fit(tasks))).toEqual([]);
  expect(promiseInWords(await fit({ random: { mode: "seeded", seed: 1 } }))).toEqual([]);
  const model = await fit({});
  for (const more of [
    { colluding: 3 },
    { later: "…" },
    { sound: false },
    { unit: "person" as const },
  ]) {
    expect(promiseInWords({ ...model, guarantee: { ...model.guarantee, ...more } })).toEqual([]);
  }
});
