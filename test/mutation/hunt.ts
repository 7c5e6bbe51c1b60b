/**
 * Looks for a test that finds a planted fault, among those that reach it.
 *
 * What was found stays in build/mutation.jsonl and is not asked again while the source and the test that found it are
 * as they were; a test that found it before is asked first.
 * @module
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { mutantText, textOf, type Mutant } from "./mutants.js";
import { partAt } from "./probes.js";
import { hashOf, Reach, type Reaching } from "./reach.js";
import { inOrder } from "./scope.js";
import { ask } from "./tester.js";

const CACHE = "build/mutation.jsonl";
/** Of a test file that takes longer, in milliseconds, only the tests that reach the fault run. */
const LONG = 1_000;
/** Tests that are run together take no longer than this, in milliseconds, as long as they pass. */
const TOGETHER = 20_000;

/** Finds faults by the given test files. */
export class Hunt {
  readonly #reach: Reach;
  /** By file, hash of it and fault, the test that failed; only while that test is as it was. */
  readonly #known = new Map<string, string>();
  /** By file and fault, the test that failed last. */
  readonly #before = new Map<string, string>();
  readonly #found = new Map<string, number>();
  /** Whether a test passes where nothing is planted; by file and name. */
  readonly #sound = new Map<string, boolean>();
  readonly #leftOut = new Set<string>();

  readonly #within: number;

  /** @param within seconds that the tests of a fault may take together where nothing is planted; the likeliest run. */
  constructor(tests: readonly string[], within = Infinity) {
    this.#within = within;
    mkdirSync("build", { recursive: true });
    this.#reach = new Reach(tests);
    if (!existsSync(CACHE)) return;
    for (const line of readFileSync(CACHE, "utf8").split("\n").filter(Boolean)) {
      const { key, fault, failed, of } = JSON.parse(line) as Record<string, string>;
      if (fault !== undefined) this.#before.set(fault, failed!);
      if (existsSync(failed!) && hashOf(failed!) === of) this.#known.set(key!, failed!);
    }
  }

  /** The test that finds a fault, or "no end" where none of them ends; null for a survivor. */
  async find(mutant: Mutant, tests: readonly string[]): Promise<string | null> {
    const fault = mutantText(mutant);
    const key = `${hashOf(mutant.file)} ${fault}`;
    const cached = this.#known.get(key);
    if (cached !== undefined) return cached;
    const part = partAt(mutant.file, textOf(mutant.file), mutant.start);
    const ordered = inOrder(this.#reach.of(part, tests), mutant.file, this.#found);
    const reaching = affordable(ordered, 1_000 * this.#within);
    const first = reaching.findIndex(({ test }) => test === this.#before.get(fault));
    if (first > 0) reaching.unshift(...reaching.splice(first, 1));
    for (let size = 1; reaching.length > 0; size *= 3) {
      const batch = nextBatch(reaching, size);
      let failed = await this.#run(mutant, batch);
      // Once more without those that fail whatever the fault.
      while (failed && !(await this.#isSound(failed))) failed = await this.#run(mutant, batch);
      if (!failed) continue;
      const { test } = failed;
      this.#found.set(test, (this.#found.get(test) ?? 0) + 1);
      if (existsSync(test)) {
        const of = hashOf(test);
        appendFileSync(CACHE, `${JSON.stringify({ key, fault, failed: test, of })}\n`);
      }
      return test;
    }
    return null;
  }

  /** What fails of a batch, if anything does. */
  async #run(mutant: Mutant, batch: readonly Reaching[]): Promise<Failure | null> {
    const left = batch.filter(({ test }) => !this.#leftOut.has(test));
    if (left.length === 0) return null;
    const tests = left.map(({ test }) => test);
    const [only] = left;
    const names = left.length === 1 && only!.ms > LONG ? only!.names : undefined;
    const ms = left.reduce((sum, one) => sum + one.ms, 0);
    const { failed, name } = await ask({ mutant, tests, names }, ms);
    return failed === null ? null : { test: failed, name };
  }

  /** A test that fails without a fault finds nothing: its file is left out, which is said. */
  async #isSound({ test, name }: Failure): Promise<boolean> {
    if (!existsSync(test)) return true;
    const key = `${test}\n${name ?? ""}`;
    if (!this.#sound.has(key)) {
      const names = name === undefined ? undefined : [name];
      const { failed } = await ask({ mutant: null, tests: [test], names }, 60_000);
      this.#sound.set(key, failed === null);
      if (failed !== null) {
        this.#leftOut.add(test);
        process.stderr.write(`${test} fails as it is, and is left out\n`);
      }
    }
    return this.#sound.get(key)!;
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
  readonly name: string | undefined;
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
