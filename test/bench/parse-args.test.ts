/** What a bench says to options that it does not know or cannot use. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { root } from "../package/packed.js";
import { temporaryFolder } from "../temporary.js";

const program = join(temporaryFolder(), "bench.mjs");
writeFileSync(
  program,
  `/**
 * Measures something.
 *
 *   node bench.mjs -- [--epsilon 1,3]
 */
import { among, parseArgs, present } from ${JSON.stringify(pathToFileURL(join(root, "bench/parse-args.js")).href)};
const { values } = parseArgs({
  options: {
    epsilon: { type: "string", default: "0.3,1" },
    sets: { type: "string", default: "a" },
    "data-folder": { type: "string", default: "not-there" },
    needed: { type: "string" },
  },
});
among("sets", values.sets.split(","), ["a", "b"]);
if (values.needed) present("needed", values.needed);
console.log(JSON.stringify(values));
`,
);

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const HEAD = "Measures something.\n\n  node bench.mjs -- [--epsilon 1,3]\n";

test("the head of the file is its help", () => {
  expect(run("--help")).toEqual({ status: 0, stdout: HEAD, stderr: "" });
});

test.each([
  [["--epsilom", "1"], "Unknown option '--epsilom'"],
  [["--epsilon", "1,x"], "--epsilon: expected numbers, as 0.3,1, got 1,x"],
  [["--sets", "a,c"], "--sets: expected among a, b, got c"],
  [["--data-folder", "no-such-folder"], "--data-folder: there is no no-such-folder"],
  [
    ["--needed", ".,no-such-file"],
    "--needed: there is no no-such-file. Real data do not come with",
  ],
])("%j ends with what is wrong, and the help", (args, words) => {
  const { status, stdout, stderr } = run(...args);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(words);
  expect(stderr).toContain(HEAD);
  expect(stderr).not.toMatch(/\n +at /);
});

test("what is well is handed on", () => {
  const { stdout } = run("--epsilon", "Infinity", "--sets", "b,a");
  expect(JSON.parse(stdout)).toEqual({
    epsilon: "Infinity",
    sets: "b,a",
    "data-folder": "not-there",
  });
});
