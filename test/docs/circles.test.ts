/** The sources read from the ground up: no file imports itself by way of others, types included. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { root } from "../package/packed.js";

/** Imports of every file, as in `{ "src/a.ts": ["src/b.ts"] }`. */
function importsBelow(folder: string): Map<string, string[]> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), "utf8").replaceAll(/^ *(?:\/?\*|\/\/).*$/gm, "");
      const own = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]*)"/g)];
      // AssemblyScript names files without an ending.
      return [file, own.map(([, name]) => join(dirname(file), `${name!.replace(/\.js$/, "")}.ts`))];
    }),
  );
}

const ofSources = importsBelow("src");

/** Files that each import the next, the last one the first; undefined where there is no such circle. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    const at = path.indexOf(file);
    if (at >= 0) return path.slice(at);
    if (done.has(file)) return undefined;
    path.push(file);
    for (const next of imports.get(file) ?? []) {
      const circle = visit(next);
      if (circle) return circle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const circle = visit(file);
    if (circle) return circle;
  }
  return undefined;
}

/** All folders that one imports, itself or by way of others. */
function foldersBelow(folder: string): Set<string> {
  const imports = [...ofSources];
  const found = new Set<string>();
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const here = imports.filter(([file]) => dirname(file) === at);
    const next = here.flatMap(([, files]) => files.map(dirname)).filter((other) => other !== at);
    open.push(...next.filter((other) => !found.has(other)));
    next.forEach((other) => found.add(other));
  }
  return found;
}

test("a circle is found", () => {
  const imports = { a: ["b"], b: ["c", "d"], c: [], d: ["b"] };
  expect(circleIn(new Map(Object.entries(imports)))).toEqual(["b", "d"]);
});

test("no file of src/ imports itself by way of others", () => {
  expect(ofSources.size).toBeGreaterThan(700);
  expect(ofSources.get(join("src", "data", "index.ts"))).toContain(
    relative(root, join(root, "src/data/table/table.ts")),
  );
  expect(circleIn(ofSources)).toBeUndefined();
});

test("no file of assembly/ imports itself by way of others", () => {
  const imports = importsBelow("assembly");
  expect(imports.size).toBeGreaterThan(90);
  expect(imports.get(join("assembly", "index.ts"))).toContain(
    join("assembly", "tasks", "local-rounds.ts"),
  );
  expect([...imports.values()].flat().filter((file) => !imports.has(file))).toEqual([]);
  expect(circleIn(imports)).toBeUndefined();
});

// A plan names the way in which its sums are taken, and none of these knows the plan's form.
test("the folder of plans imports itself by no way of summing", () => {
  const plan = join("src", "federation", "protocol", "plan");
  const below = foldersBelow(plan);
  expect(below).toContain(join("src", "federation", "secure-aggregation", "plan"));
  expect(below).not.toContain(plan);
  // It would be seen: the curator imports the ways of summing, which import the curator's folder.
  const curator = join("src", "federation", "curator", "rounds");
  expect(foldersBelow(curator)).toContain(curator);
});
