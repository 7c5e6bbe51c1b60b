/** Every script, program and flag that a document tells its reader to run is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { root } from "../package/packed.js";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const pages = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`)
  .concat("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "page/README.md");

/** The text of a program and of what it imports beside it, where its flags are. */
function textOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !existsSync(file) || file.includes("build/modules")) return "";
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const imported = [...text.matchAll(/from\s*"(\.[^"]+)"/g)];
  return text + imported.map(([, path]) => textOf(resolve(dirname(file), path!), seen)).join("");
}

const texts = new Map<string, string>();

const COMMAND =
  /\b(?:npm run ([\w:-]+)|node (?:--[\w-]+(?:=\d+)? )*((?:bench|scripts|examples)\/[\w./-]+\.m?js))([^`|#;&\n]*)/g;

/** Programs that hand their flags on. */
const HANDED_ON = ["scripts/with-variable.mjs", "scripts/typescript.mjs"];

/** What is wrong with the commands of a page. */
function problemsOf(page: string, text: string): string[] {
  return [...text.replace(/\\\n\s*/g, " ").matchAll(COMMAND)].flatMap(
    ([, script, program, rest]) => {
      if (script && !(script in scripts)) return [`${page}: no script ${script}`];
      const ran = script && /node (?:--\S+ )*(\S+\.m?js)(?!.*node )/.exec(scripts[script]!)?.[1];
      const file = program ?? ran;
      if (!file || HANDED_ON.includes(file)) return [];
      const known = texts.get(file) ?? textOf(join(root, file));
      texts.set(file, known);
      if (known === "") return [`${page}: no ${file}`];
      const flags = [...rest!.matchAll(/--([a-z][\w-]*)/g)].map(([, flag]) => flag!);
      return flags
        .filter((flag) => !new RegExp(`\\b${flag}"?\\s*:|--${flag}\\b`).test(known))
        .map((flag) => `${page}: ${file} has no --${flag}`);
    },
  );
}

test.each(pages)("%s", (page) => {
  expect(problemsOf(page, readFileSync(join(root, page), "utf8"))).toEqual([]);
});

test("what is not there is told", () => {
  const text = "npm run nothing\nnode bench/none.js --quick\nnpm run bench:records -- --sizes 3";
  expect(problemsOf("page", text)).toEqual([
    "page: no script nothing",
    "page: no bench/none.js",
    "page: bench/accuracy/records.js has no --sizes",
  ]);
});
