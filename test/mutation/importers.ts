/**
 * The tests that import a source file, by the texts of imports alone: which are likely to find a fault there is known before any ran.
 *
 * What is imported from an `index.ts` counts as imported from the file it comes from, so that a test is near what it names and not near
 * all of an entry.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { importsOf, isTest, testTexts } from "../phases.js";
import { readTimes } from "../longest-first.js";
import type { Reaching } from "./reach.js";
import { likeness } from "./scope.js";

/** Seconds that a test file takes which test/times.txt does not list. */
const SHORT = 0.5;

/** Texts of the sources and of all that is beside the tests, by path from the project's folder. */
export function allTexts(): Map<string, string> {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `src/${path.replaceAll("\\", "/")}`);
  const read = sources.map((path) => [path, readFileSync(path, "utf8")] as const);
  return new Map([...read, ...testTexts()]);
}

/** Who imports whom, of these texts. */
export class Importers {
  readonly #importers = new Map<string, string[]>();
  readonly #times = readTimes(readFileSync("test/times.txt", "utf8"));

  constructor(texts: ReadonlyMap<string, string> = allTexts()) {
    // Types are gone when a test runs.
    const code = (text: string) => text.replaceAll(/^(?:import|export) type [^;]*;/gm, "");
    const imports = new Map([...texts].map(([path, text]) => [path, importsOf(path, code(text))]));
    /** The files that a name of a file may come from. */
    const origins = (file: string, name: string): string[] => {
      if (!file.endsWith("/index.ts")) return [file];
      return (imports.get(file) ?? [])
        .filter((one) => one.passedOn && (name === "*" || one.name === name || one.name === "*"))
        .flatMap((one) => origins(one.file, one.name === "*" ? name : one.name));
    };
    for (const [path, list] of imports) {
      const from = new Set(list.flatMap(({ file, name }) => origins(file, name)));
      for (const file of from)
        this.#importers.set(file, [...(this.#importers.get(file) ?? []), path]);
    }
  }

  /** Test files by how many imports they are from a file; those that do not come to it are not there. */
  distances(source: string): Map<string, number> {
    const far = new Map([[source, 0]]);
    // Grows while it is gone through.
    for (const [file, steps] of far)
      for (const importer of this.#importers.get(file) ?? [])
        if (!far.has(importer)) far.set(importer, steps + 1);
    return new Map([...far].filter(([file]) => isTest(file)));
  }

  /**
   * The tests that come to a file, the likeliest to find a fault in it first: of its own name, then near it by imports, of like words and in
   * like folders, then those that found most so far; and last those that take long.
   */
  likeliest(source: string, found: ReadonlyMap<string, number>): Reaching[] {
    const own = source.replace(/^src\/(.*)\.ts$/, "test/$1.test.ts");
    const folders = source.split("/").slice(1, -1);
    const ranked = [...this.distances(source)].map(([test, steps]) => {
      const seconds = this.#times.get(test) ?? SHORT;
      const path = test.split("/").slice(1, -1);
      const shared = folders.findIndex((folder, i) => folder !== path[i]);
      const near = shared < 0 ? folders.length : shared;
      const rank =
        (test === own ? 50 : 0) +
        (steps === 1 ? 20 : -3 * steps) +
        10 * likeness(source, test) +
        5 * near +
        Math.min(9, found.get(test) ?? 0) -
        seconds;
      return { rank, reaching: { test, ms: 1_000 * seconds, names: undefined } };
    });
    return ranked.sort((a, b) => b.rank - a.rank).map(({ reaching }) => reaching);
  }
}
