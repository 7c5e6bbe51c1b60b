/** The Stack Overflow data of TensorFlow Federated, from small HDF5 files in its form, and what is wrong with some. */
import { join } from "node:path";
import { mkdirSync } from "node:fs";
import { File, ready } from "h5wasm/node";
import { beforeAll, expect, test } from "vitest";
import { mostFrequent, stackOverflowTasks, stackOverflowUsers } from "../../../src/data/index.js";
import { makeEstimator } from "../../../src/index.js";
import { temporaryFolder } from "../../temporary.js";

type Fields = Record<string, string[]>;

const USERS: Record<string, Fields> = {
  "00000001": {
    creation_date: [
      "2017-01-01 00:00:00 UTC",
      "2017-01-02 00:00:00 UTC",
      "2017-01-03 00:00:00 UTC",
    ],
    title: ["sort a list", "sort a list", "what is it"],
    tokens: ["how do i sort the list", "call sorted ( list ) .", "no word of it counts ?"],
    tags: ["list|python|sorting", "python|list", "cobol"],
    type: ["question", "answer", "question"],
  },
  "00000002": { title: ["null again"], tokens: ["a null pointer"], tags: ["java|null"] },
};

const words = ["list", "sort", "null", "python"];
const tags = ["java", "python", "list"];
const folder = temporaryFolder();
let files = 0;

beforeAll(async () => {
  await ready;
  mkdirSync(folder, { recursive: true });
});

/** A file as the data's publisher writes it, read again. */
function written(users: Record<string, Fields>, group = "examples"): File {
  const path = join(folder, `${++files}.h5`);
  const file = new File(path, "w");
  const examples = file.create_group(group);
  for (const [name, fields] of Object.entries(users)) {
    const user = examples.create_group(name);
    for (const [key, data] of Object.entries(fields)) user.create_dataset({ name: key, data });
  }
  file.close();
  return new File(path, "r");
}

test("one task a user: shares of words, the most frequent tag as label, rows without tag left out", () => {
  const tasks = stackOverflowTasks(stackOverflowUsers(written(USERS)), { words, tags });
  expect(tasks.names).toEqual(["00000001", "00000002"]);
  expect(tasks.featureNames).toEqual(words);
  expect([...tasks.taskSizes]).toEqual([2, 1]);
  // Labels are public and all there are, in the order of the text.
  expect([...tasks.y].map((at) => tasks.targetLevels![at])).toEqual(["python", "python", "java"]);
  const [first, second] = [...tasks];
  // "how do i sort the list" and "sort a list": 9 words; "call sorted ( list ) ." and the same: 9 words.
  expect([...first!.x].map((x) => 9 * x)).toEqual([2, 2, 0, 0, 2, 1, 0, 0]);
  expect([...second!.x].map((x) => 5 * x)).toEqual([0, 0, 2, 0]);
});

test("users and rows can be limited", () => {
  const tasks = (limits: object) =>
    stackOverflowTasks(stackOverflowUsers(written(USERS)), { words, tags, ...limits });
  expect([...tasks({ mostRows: 1 }).taskSizes]).toEqual([1, 1]);
  expect(tasks({ leastRows: 2 }).names).toEqual(["00000001"]);
  expect(tasks({ mostUsers: 1 }).names).toEqual(["00000001"]);
  expect(() => tasks({ leastRows: 3 })).toThrow("3 rows or more that have one of the tags");
  expect(() => tasks({ mostUsers: 0 })).toThrow("mostUsers");
});

test("a method learns from them", async () => {
  const tasks = stackOverflowTasks(stackOverflowUsers(written(USERS)), { words, tags });
  const random = { mode: "seeded", seed: "so" } as const;
  const options = { loss: "softmax", epsilon: 1, delta: 1e-2, random };
  const model = await makeEstimator("pmtl", options).fit(tasks);
  expect(model.classes).toEqual(tasks.targetLevels);
  expect(model.guarantee).toMatchObject({ epsilon: 1, unit: "task" });
});

test("what is missing or does not fit is named, and no text of the data is", () => {
  const read = (users: Record<string, Fields>, group?: string) => () => [
    ...stackOverflowUsers(written(users, group)),
  ];
  expect(read(USERS, "samples")).toThrow('expected a group "examples"');
  expect(read({ "7": { title: ["a"], tokens: ["secret"] } })).toThrow(
    'user "7": expected tags, a list of texts',
  );
  const user = { name: "7", title: ["secret"], tokens: ["secret", "b"], tags: ["java"] };
  expect(() => stackOverflowTasks([user], { words, tags })).toThrow(
    /^Stack Overflow user "7": expected as many tokens as title and tags; got 2, 1 and 1$/,
  );
  expect(() => stackOverflowTasks([], { words: ["a", "a"], tags })).toThrow(
    "words: expected at least one, none twice; got 2, of which 1 differ",
  );
});

test("the most frequent of what was counted", () => {
  const counts = { the: 90, a: 70, sort: 3, list: 3, rare: 1 };
  expect(mostFrequent(counts, 4)).toEqual(["the", "a", "list", "sort"]);
  expect(() => mostFrequent(counts, 6)).toThrow("at least 6 that were counted, got 5");
});

test("words, tags and counts that are none are named", () => {
  expect(() => stackOverflowTasks([], { words: "list" } as never)).toThrow(
    "words: expected a list of texts",
  );
  expect(() => stackOverflowTasks([], { words: ["list"] } as never)).toThrow(
    "tags: expected a list of texts",
  );
  expect(() => stackOverflowTasks([], { words, tags, mostUser: 1 } as never)).toThrow(
    /"mostUser" is not known here.*Did you mean "mostUsers"\?/,
  );
  expect(() => stackOverflowTasks([null] as never, { words, tags })).toThrow(
    "user: expected an object, got null",
  );
  expect(() => mostFrequent(null as never, 1)).toThrow("counts: expected an object, got null");
});
