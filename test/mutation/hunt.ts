/**
 * Looks for a test that finds a planted fault: among those that are likely to by what they import, then among those that reach it.
 *
 * Which tests found a fault or passed on it stays in build/mutation.jsonl, and is not asked again while the source and the test are as they
 * were: a run that was ended goes on where it was. A test that found a fault before is asked first.
 * @module
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { thorough } from "../thorough.js";
import { Importers } from "./importers.js";
import { mutantText, textOf, type Mutant } from "./mutants.js";
import { partAt } from "./probes.js";
import { hashOf, Reach, type Reaching } from "./reach.js";
import { inOrder } from "./scope.js";
import { ask } from "./tester.js";

const CACHE = "build/mutation.jsonl";
/** Of a test file that takes longer, in milliseconds, only the tests that reach the fault run. */
const LONG = 1_000;
/** Seconds of the likeliest tests of a fault, before what tests reach is measured. */
const FIRST = 30;
/** Tests that are run together take no longer than this, in milliseconds, as long as they pass. */
const TOGETHER = 20_000;

/** A line of the cache: the test that found a fault, or those that passed on it, each with its hash. */
interface Line {
  readonly key: string;
  readonly fault: string;
  /** Whether the run had the tests that are left out otherwise: what they find or pass says nothing of one without. */
  readonly thorough: boolean;
  readonly failed?: string;
  readonly of?: string;
  /** What it said. */
  readonly why?: string | undefined;
  readonly passed?: Readonly<Record<string, string>>;
}

/** Finds faults. */
export class Hunt {
  readonly #importers = new Importers();
  #reach: Reach | undefined;
  /** By file, hash of it and fault, the test that failed; only while that test is as it was. */
  readonly #known = new Map<string, string>();
  /** By the same key, hashes of the tests that passed. */
  readonly #passed = new Map<string, Map<string, string>>();
  /** By file and fault, the test that failed last. */
  readonly #before = new Map<string, string>();
  readonly #found = new Map<string, number>();
  /** Whether a test file passes where nothing is planted. */
  readonly #sound = new Map<string, boolean>();
  readonly #leftOut = new Set<string>();

  readonly #tests: readonly string[];
  readonly #within: number;

  /**
   * @param tests those that are asked last, with what each reaches.
   * @param within seconds that the tests of a fault may take together where nothing is planted; the likeliest run, and what tests reach
   * is not measured.
   */
  constructor(tests: readonly string[], within = Infinity) {
    this.#tests = tests;
    this.#within = within;
    mkdirSync("build", { recursive: true });
    if (!existsSync(CACHE)) return;
    for (const line of readFileSync(CACHE, "utf8").split("\n").filter(Boolean))
      this.#remember(JSON.parse(line) as Line);
  }

  #remember({ key, fault, failed, of, passed, thorough: all }: Line): void {
    if (failed !== undefined) {
      this.#before.set(fault, failed);
      this.#found.set(failed, (this.#found.get(failed) ?? 0) + 1);
      const same = existsSync(failed) && hashOf(failed) === of;
      if (same && (thorough || !all)) this.#known.set(key, failed);
    } else if (thorough === all) {
      const before = this.#passed.get(key) ?? [];
      this.#passed.set(key, new Map([...before, ...Object.entries(passed ?? {})]));
    }
  }

  #write(line: Omit<Line, "thorough">): void {
    const whole = { ...line, thorough };
    this.#remember(whole);
    appendFileSync(CACHE, `${JSON.stringify(whole)}\n`);
  }

  /** The test that finds a fault, or "no end" where none of them ends; null for a survivor. */
  async find(mutant: Mutant, tests: readonly string[]): Promise<string | null> {
    const fault = mutantText(mutant);
    const key = `${hashOf(mutant.file)} ${fault}`;
    const cached = this.#known.get(key);
    if (cached !== undefined) return cached;
    const likely = this.#importers.likeliest(mutant.file, this.#found);
    const limit = Math.min(this.#within, FIRST);
    const failed = await this.#try(mutant, key, affordable(likely, 1_000 * limit));
    if (failed !== null || limit === this.#within) return failed;
    this.#reach ??= new Reach(this.#tests);
    const part = partAt(mutant.file, textOf(mutant.file), mutant.start);
    return this.#try(mutant, key, inOrder(this.#reach.of(part, tests), mutant.file, this.#found));
  }

  /** The first of these tests that fails, in batches that grow; those that are known to pass are not asked again. */
  async #try(mutant: Mutant, key: string, tests: readonly Reaching[]): Promise<string | null> {
    const fault = mutantText(mutant);
    const passed = this.#passed.get(key);
    const left = tests.filter(
      ({ test }) => !passed?.has(test) || passed.get(test) !== hashOf(test),
    );
    const first = left.findIndex(({ test }) => test === this.#before.get(fault));
    if (first > 0) left.unshift(...left.splice(first, 1));
    for (let size = 1; left.length > 0; size *= 3) {
      let batch = nextBatch(left, size).filter(({ test }) => !this.#leftOut.has(test));
      for (;;) {
        const failed = await this.#run(mutant, batch);
        if (!failed) break;
        const { test, why } = failed;
        if (await this.#finds(mutant, failed, batch)) {
          const of = existsSync(test) ? hashOf(test) : "";
          this.#write({ key, fault, failed: test, of, why });
          return test;
        }
        // Once more without one that fails whatever the fault, or only after others.
        batch = batch.filter((one) => one.test !== test);
      }
      const hashes = batch.map(({ test }) => [test, hashOf(test)] as const);
      this.#write({ key, fault, passed: Object.fromEntries(hashes) });
    }
    return null;
  }

  /** What fails of a batch, if anything does. */
  async #run(mutant: Mutant, batch: readonly Reaching[]): Promise<Failure | null> {
    if (batch.length === 0) return null;
    const tests = batch.map(({ test }) => test);
    const [only] = batch;
    const names = batch.length === 1 && only!.ms > LONG ? only!.names : undefined;
    const ms = batch.reduce((sum, one) => sum + one.ms, 0);
    const { failed, why } = await ask({ mutant, tests, names }, ms);
    return failed === null ? null : { test: failed, why };
  }

  /** Whether it is the fault that a test fails for, and not one that ran before it. */
  async #finds(mutant: Mutant, failed: Failure, batch: readonly Reaching[]): Promise<boolean> {
    if (!(await this.#isSound(failed.test))) return false;
    if (batch.length === 1 || !existsSync(failed.test)) return true;
    const alone = batch.filter(({ test }) => test === failed.test);
    return (await this.#run(mutant, alone)) !== null;
  }

  /** A test file that fails without a fault finds nothing: it is left out, which is said. */
  async #isSound(test: string): Promise<boolean> {
    if (!existsSync(test)) return true;
    if (!this.#sound.has(test)) {
      const { failed } = await ask({ mutant: null, tests: [test] }, 60_000);
      this.#sound.set(test, failed === null);
      if (failed !== null) {
        this.#leftOut.add(test);
        process.stderr.write(`${test} fails as it is, and is left out\n`);
      }
    }
    return this.#sound.get(test)!;
  }
}

/** Tests in this order, those left out that would bring what they take together above the most. */
function affordable(tests: readonly Reaching[], most: number): Reaching[] {
  let left = most;
  return tests.filter(({ ms }, i) => {
    const taken = i === 0 || ms <= left;
    if (taken) left -= ms;
    return taken;
  });
}

interface Failure {
  readonly test: string;
  readonly why: string | undefined;
}

/** Takes off the next ones: a long one alone, of short ones so many. */
function nextBatch(reaching: Reaching[], size: number): Reaching[] {
  let ms = reaching[0]!.ms;
  let count = 1;
  while (ms <= LONG * count && count < size && count < reaching.length) {
    const next = reaching[count]!.ms;
    if (next > LONG || ms + next > TOGETHER) break;
    ms += next;
    count++;
  }
  return reaching.splice(0, ms > LONG && count === 1 ? 1 : count);
}
