import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTimes, times } from "./longest-first.js";
import { root } from "./package/packed.js";

test("lines that are no time of a file are left out", () => {
  expect([...readTimes("12 test/a.test.ts\n1.5 test/b.test.ts\n\nx test/c.test.ts\n")]).toEqual([
    ["test/a.test.ts", 12],
    ["test/b.test.ts", 1.5],
  ]);
});

test("files whose time is listed are there, the longest first", () => {
  expect(times.size).toBe(readFileSync(`${root}test/times.txt`, "utf8").trim().split("\n").length);
  expect([...times.keys()].filter((path) => !existsSync(root + path))).toEqual([]);
  expect([...times.values()]).toEqual([...times.values()].sort((a, b) => b - a));
});
