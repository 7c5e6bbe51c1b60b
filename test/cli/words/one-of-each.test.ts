/** Sentences with numbers in them, where a number is one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { TaskSet } from "../../../src/data/index.js";
import { SingleTask } from "../../../src/learning/index.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const folder = temporaryFolder();

async function said(...args: string[]) {
  const io = testIo();
  expect(await main(args, io), io.err()).toBe(0);
  return io.out() + io.err();
}

const account = (tasks: string, rows: string) =>
  said("account", "--tasks", tasks, "--rows", rows, "--features", "1", "--epsilon", "1");

test("a model of one task and feature", async () => {
  const tasks = TaskSet.from([{ name: "a", x: [[1], [2]], y: [1, 2] }]);
  const model = await new SingleTask().fit(tasks);
  expect(String(model)).toContain("1 task, 1 feature, squared loss");
});

test("account: a row a task; one task alone has nothing to share", async () => {
  expect(await account("20", "1")).toContain("alone, 1 row a task cannot determine the 2 numbers");
  expect(await account("1", "1")).not.toContain("there is much to gain");
});

test("simulate, split and predict", async () => {
  const sizes = ["--tasks", "2", "--features", "1", "--samples", "2", "--seed", "1"];
  const drawn = join(folder, "drawn.csv");
  expect(await said("simulate", "--pattern", "group-sparse", "--active-features", "1", ...sizes, "--out", drawn)) // prettier-ignore
    .toContain("2 tasks with 1 feature:");
  const [table, schema, model] = ["t.csv", "s.json", "model"].map((name) => join(folder, name));
  writeFileSync(table!, "task,x,y\na,1,1\na,2,2\na,,3\n");
  const parts = ["--task", "task", "--test-fraction", "0.6", "--out", join(folder, "parts")];
  expect(await said("split", "--data", table!, ...parts)).toContain("1 row to train on, 2 to test");
  const x = { kind: "number", range: [0, 5], missing: "drop" };
  const target = { column: "y", kind: "number", range: [0, 5] };
  const declared = { format: "mp-mtl-schema", version: 1, task: "task", target, columns: { x } };
  writeFileSync(schema!, JSON.stringify(declared));
  const from = ["--data", table!, "--ranges", schema!, "--method", "single-task"];
  await said("fit", ...from, "--out", model!);
  expect(await said("predict", "--model", model!, "--data", table!)).toContain(
    "no prediction for 1 row without a value that the schema asks for",
  );
});
