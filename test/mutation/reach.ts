/**
 * The tests that run a part of a source file, as an earlier run of all of them wrote it down.
 * @module
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { SCOPES, sourcesOf } from "./scope.js";

/** What one test file reached: outside its tests, and in each by its full name. */
export interface Reached {
  readonly test: string;
  readonly outside: readonly string[];
  readonly tests: Readonly<Record<string, readonly string[]>>;
  readonly ms: number;
}

/** A test file that reaches a part. */
export interface Reaching {
  readonly test: string;
  readonly ms: number;
  /** Its tests that do; undefined where all have to run. */
  readonly names: readonly string[] | undefined;
}

/** Of an earlier run, with what it was about. */
interface Stored extends Reached {
  readonly hash: string;
  /** Sources as they were; of those that have changed since, every part counts as reached. */
  readonly sources: Readonly<Record<string, string>>;
}

const STORE = "build/mutation-reach.json";
const NEW = `build/mutation-reach.${process.pid}.jsonl`;
const fileOf = (part: string) => part.slice(0, part.lastIndexOf(":"));

export const hashOf = (file: string) =>
  createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);

/** Which of these tests reach a part; those not seen as they are now are run first. */
export class Reach {
  readonly #stored = new Map<string, Stored>();
  readonly #hashes = new Map<string, string>();

  constructor(tests: readonly string[]) {
    this.#read();
    const missing = tests.filter((test) => !this.#stored.has(test));
    if (missing.length === 0) return;
    process.stderr.write(`running ${missing.length} test files once, to see what each reaches\n`);
    // As they are when the run begins.
    for (const file of SCOPES.flatMap(sourcesOf)) this.#hash(file);
    writeFileSync(NEW, "");
    execFileSync(process.execPath, ["build/mutation-reach-run.mjs", ...missing], {
      env: { ...process.env, MP_MTL_REACH: NEW },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const seen = readFileSync(NEW, "utf8").split("\n").filter(Boolean);
    rmSync(NEW);
    const reached = new Map(
      seen.map((line) => {
        const one = JSON.parse(line) as Reached;
        const test = relative(process.cwd(), one.test).replaceAll("\\", "/");
        return [test, { ...one, test }];
      }),
    );
    // Another run may have written meanwhile.
    this.#read();
    for (const test of missing) {
      const one = reached.get(test);
      if (!one) continue;
      const parts = [...one.outside, ...Object.values(one.tests).flat()];
      const files = [...new Set(parts.map(fileOf))];
      const sources = Object.fromEntries(files.map((file) => [file, this.#hash(file)]));
      this.#stored.set(test, { ...one, hash: hashOf(test), sources });
    }
    writeFileSync(STORE, JSON.stringify([...this.#stored.values()]));
  }

  #read(): void {
    if (!existsSync(STORE)) return;
    for (const one of JSON.parse(readFileSync(STORE, "utf8")) as Stored[])
      if (existsSync(one.test) && hashOf(one.test) === one.hash) this.#stored.set(one.test, one);
  }

  #hash(file: string): string {
    if (!this.#hashes.has(file)) this.#hashes.set(file, hashOf(file));
    return this.#hashes.get(file)!;
  }

  /** In the given order. */
  of(part: string, tests: readonly string[]): Reaching[] {
    const file = fileOf(part);
    return tests.flatMap((test): Reaching[] => {
      const stored = this.#stored.get(test);
      // Nothing is known of a file without a test that ran.
      if (!stored) return [{ test, ms: 0, names: undefined }];
      const { outside, tests: own, sources, ms } = stored;
      if (sources[file] === undefined) return [];
      if (sources[file] !== this.#hash(file) || outside.includes(part))
        return [{ test, ms, names: undefined }];
      const names = Object.keys(own).filter((name) => own[name]!.includes(part));
      return names.length > 0 ? [{ test, ms, names }] : [];
    });
  }
}
