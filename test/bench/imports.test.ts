/** What benches take of the library's modules is there: files that moved would else be missed only when a bench is run. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { root } from "../package/packed.js";

test("every module of the library that a bench imports is a file of src/", () => {
  const benches = readdirSync(join(root, "bench"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js"))
    .map((path) => join(root, "bench", path));
  const modules = benches.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/"(\.[^"\s]*\/build\/modules\/[^"\s]+)\.js"/g)].map(
      ([, specifier]) => relative(join(root, "build/modules"), join(dirname(path), specifier!)),
    ),
  );
  expect(modules.length).toBeGreaterThan(100);
  const missing = modules.filter((path) => !existsSync(join(root, "src", `${path}.ts`)));
  expect([...new Set(missing)]).toEqual([]);
});
