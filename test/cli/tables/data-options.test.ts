import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineCommand } from "../../../src/cli/options/command.js";
import { dataOptions } from "../../../src/cli/tables/data-options.js";
import { openTable } from "../../../src/cli/tables/read-data.js";
import { prepareData } from "../../../src/cli/tables/prepare-data.js";
import { main } from "../../../src/cli/run.js";
import { testIo } from "../io.js";
import { temporaryFolder } from "../../temporary.js";

const command = defineCommand({
  options: dataOptions,
  run: async (values) => {
    const { tasks, encoding, dropped } = await prepareData(values, "squared");
    const again = encoding.apply(await openTable(values.data, values));
    const same = again.tasks.x.every((value, at) => value === tasks.x[at]);
    const { names, featureNames } = tasks;
    return { document: { names, featureNames, dropped, same }, text: "" };
  },
});
const load = () => Promise.resolve(command);
const probe = { name: "probe", summary: "reads tasks", load };

const path = join(temporaryFolder(), "t.csv");
writeFileSync(
  path,
  "school,score,age,ward,px\na,1,30,m,0f\nb,2,,s,f0\na,NA,50,m,ff\nb,4,60,s,00\nb,5,40,m,0a\n",
);

async function run(...args: string[]) {
  const io = testIo();
  const base = ["probe", "--data", path, "--task", "school", "--target", "score", "--json"];
  const code = await main([...base, ...args], io, [probe]);
  return { code, err: io.err(), document: JSON.parse(io.out()) as unknown };
}

test("say what the columns hold", async () => {
  const { code, document } = await run(
    "--categorical",
    "ward",
    "--hex-pixels",
    "px",
    "--missing",
    "impute",
  );
  expect(code).toBe(0);
  expect(document).toEqual({
    names: ["a", "b"],
    featureNames: ["age", "ward=m", "ward=s", "px[0]", "px[1]"],
    dropped: 1,
    same: true,
  });
});

test.each([
  [["--features", "agee"], 'has no column "agee"; it has "school", "score", "age", "ward", "px"'],
  [["--features", "age,ward", "--missing", "refuse"], 't.csv, line 4, column "score"'],
  [
    ["--features", "age", "--missing", "refuse"],
    't.csv, line 4, column "score": the target is missing',
  ],
  [["--features", "age", "--hex-pixels", "px"], 'kinds: column "px" is not among the features.'],
])("%j is a matter of data: exit code 3", async (args, message) => {
  const { code, err } = await run(...args);
  expect(err).toContain(message);
  expect(code).toBe(3);
});

test("a file that is not there is a matter of data", async () => {
  const io = testIo();
  const args = ["probe", "--data", "no.csv", "--task", "a", "--target", "b"];
  expect(await main(args, io, [probe])).toBe(3);
  expect(io.err()).toBe("mp-mtl probe: no.csv: there is no such file.\n");
});
