/**
 * What the benches take from the built modules is there: nothing compiles them, and most of them run too long to be run.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

/** Names that a module exports, those of `export *` among them. */
function exportsOf(module: URL): Set<string> {
  const text = readFileSync(module, "utf8");
  const names = new Set<string>();
  for (const [, name] of text.matchAll(
    /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|let) (\w+)/gm,
  ))
    names.add(name!);
  for (const [, list] of text.matchAll(/^export \{([^}]*)\}/gm))
    for (const part of list!.replace(/\/\/.*$/gm, "").split(","))
      names.add(part.trim().split(/\s+as\s+/).at(-1)!); // prettier-ignore
  for (const [, path] of text.matchAll(/^export \* from "(\.[^"]+)"/gm))
    for (const name of exportsOf(sourceOf(new URL(path!, module)))) names.add(name);
  return names;
}

/** Where a module stands: what is built from sources is looked up in these. */
function sourceOf(module: URL): URL {
  const path = fileURLToPath(module).slice(fileURLToPath(root).length);
  const source = new URL(path.replace(/^build\/modules\//, "src/"), root);
  const typescript = new URL(source.href.replace(/\.js$/, ".ts"));
  return existsSync(typescript) ? typescript : source;
}

/** What a script takes from files of the project that do not have it. */
function missingIn(script: URL, text: string): string[] {
  const imports = text.matchAll(/^import\s*(?:\w+,\s*)?\{([^}]*)\}\s*from\s*"(\.[^"]+)"/gm);
  return [...imports].flatMap(([, list, path]) => {
    const source = sourceOf(new URL(path!, script));
    if (!existsSync(source)) return [path!];
    const known = exportsOf(source);
    const names = list!.split(",").map((part) => part.trim().split(/\s+as\s+/)[0]!);
    return names
      .filter((name) => name !== "" && !known.has(name))
      .map((name) => `${name} of ${path}`);
  });
}

const scripts = ["bench/", "scripts/"].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.m?js$/.test(name) && !name.includes("node_modules"))
    .map((name) => new URL(name, new URL(folder, root))),
);

test("every import of a bench or a script names what the module has", () => {
  expect(scripts.length).toBeGreaterThan(100);
  const missing = scripts.flatMap((script) =>
    missingIn(script, readFileSync(script, "utf8")).map((what) => `${script.pathname}: ${what}`),
  );
  expect(missing).toEqual([]);
});

test("a name that moved, and a file that did, are found", () => {
  const script = new URL("bench/some.js", root);
  const of = (names: string, path: string) =>
    missingIn(script, `import { ${names} } from "../build/modules/${path}";`);
  expect(of("encodeMessage, nothing", "federation/index.js")).toEqual([
    "nothing of ../build/modules/federation/index.js",
  ]);
  expect(of("MpMixed", "learning/index.js")).toEqual([]);
  expect(of("any", "nowhere.js")).toEqual(["../build/modules/nowhere.js"]);
});
