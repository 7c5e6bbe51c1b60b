/** Which tests are near a source file by what they import. */
import { expect, test } from "vitest";
import { Importers } from "./importers.js";

const importers = new Importers(
  new Map([
    ["src/own/a.ts", "export const a = 1;"],
    ["src/own/b.ts", 'import type { A } from "./a.js";\nexport const b = 2;'],
    ["src/own/index.ts", 'export { a } from "./a.js";\nexport * from "./b.js";'],
    ["src/user.ts", 'import { a } from "./own/a.js";\nexport const twice = 2 * a;'],
    ["test/own/a.test.ts", 'import { a } from "../../src/own/index.js";'],
    ["test/all.test.ts", 'import * as own from "../src/own/index.js";'],
    ["test/own/other.test.ts", 'import {\n  b,\n} from "../../src/own/index.js";'],
    ["test/user.test.ts", 'import { twice } from "./helper.js";'],
    ["test/helper.ts", 'import { twice } from "../src/user.js";'],
  ]),
);

test("a test is as far from a file as there are imports between, entries not counted, types left out", () => {
  const near = ["test/own/a.test.ts", "test/all.test.ts"];
  // Which names of "*" are a file's own is not looked up.
  const of = importers.distances("src/own/a.ts");
  for (const path of near) expect(of.get(path)).toBe(1);
  expect(of.get("test/user.test.ts")).toBe(3);
  expect(of.has("test/own/other.test.ts")).toBe(false);
  expect(importers.distances("src/own/b.ts").get("test/own/other.test.ts")).toBe(1);
  expect([...importers.distances("src/user.ts")]).toEqual([["test/user.test.ts", 2]]);
});

test("the likeliest are those of the file's own name and place, then near ones, then those that found much", () => {
  const order = (found: [string, number][] = []) =>
    importers.likeliest("src/own/a.ts", new Map(found)).map(({ test: path }) => path);
  expect(order()).toEqual(["test/own/a.test.ts", "test/all.test.ts", "test/user.test.ts"]);
  const found = order([["test/user.test.ts", 9]]);
  expect(found[0]).toBe("test/own/a.test.ts");
});
