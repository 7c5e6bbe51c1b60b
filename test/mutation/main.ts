/**
 * `npm run mutation -- [--scope NAME] [--file PREFIX] [--sample N] [--seed S]`: plants small faults one by one and
 * says which of them no test finds. Progress goes to stderr, the score and the survivors to stdout.
 *
 * What was found stays in build/mutation.jsonl and is not asked again while the source and the test that found it are
 * as they were.
 * @module
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import seedrandom from "seedrandom";
import { describeMutant, mutantsOf, type Mutant } from "./mutants.js";
import { partAt } from "./probes.js";
import { hashOf, Reach } from "./reach.js";
import { inOrder, SCOPES, sourcesOf, testsOf, type Scope } from "./scope.js";
import { ask, endSession } from "./tester.js";

const CACHE = "build/mutation.jsonl";
/** Of a test file that takes longer, in milliseconds, only the tests that reach the fault run. */
const LONG = 3_000;

const { values } = parseArgs({
  options: {
    scope: { type: "string" },
    file: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});

/** Mutants that change nothing, with the reason; by what is written, so that lines may move. */
interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly original: string;
  readonly replacement: string;
  /** Which of the same faults of the line, from 1; default the first. */
  readonly nth?: number;
  readonly why: string;
}

const equivalents = JSON.parse(
  readFileSync("test/mutation/equivalent.json", "utf8"),
) as Equivalent[];
const texts = new Map<string, string>();
const textOf = (file: string) => {
  if (!texts.has(file)) texts.set(file, readFileSync(file, "utf8"));
  return texts.get(file)!;
};

function isEquivalent({ file, line, start, original, replacement }: Mutant): boolean {
  const written = textOf(file).split("\n")[line - 1]!.trim();
  const same = mutantsOf(file, textOf(file)).filter(
    (other) =>
      other.line === line && other.original === original && other.replacement === replacement,
  );
  const nth = same.findIndex((other) => other.start === start) + 1;
  return equivalents.some(
    (known) =>
      known.file === file &&
      known.line === written &&
      known.original === original &&
      known.replacement === replacement &&
      (known.nth ?? 1) === nth,
  );
}

/** What earlier runs found: by file, hash of it and place of the fault, the test that failed and its hash. */
const known = new Map<string, string>();
const keyOf = ({ file, start, end, replacement }: Mutant) =>
  [file, hashOf(file), start, end, replacement].join(" ");
mkdirSync("build", { recursive: true });
if (existsSync(CACHE))
  for (const line of readFileSync(CACHE, "utf8").split("\n").filter(Boolean)) {
    const { key, failed, of } = JSON.parse(line) as { key: string; failed: string; of: string };
    if (existsSync(failed) && hashOf(failed) === of) known.set(key, failed);
  }

const found = new Map<string, number>();
/** Whether a test passes where nothing is mutated; by file and name. */
const sound = new Map<string, boolean>();

/** A test that fails without a fault finds nothing: its file is left out, which is said. */
async function isSound(test: string, name: string | undefined): Promise<boolean> {
  if (!existsSync(test)) return true;
  const key = `${test}\n${name ?? ""}`;
  if (!sound.has(key)) {
    const names = name === undefined ? undefined : [name];
    const { failed } = await ask({ mutant: null, tests: [test], names });
    sound.set(key, failed === null);
    if (failed === null) return true;
    leftOut.add(test);
    process.stderr.write(`${test} fails as it is, and is left out\n`);
  }
  return sound.get(key)!;
}
const leftOut = new Set<string>();

/** What finds a mutant; null for a survivor. */
async function findFault(scope: Scope, mutant: Mutant): Promise<string | null> {
  const cached = known.get(keyOf(mutant));
  if (cached !== undefined) return cached;
  const part = partAt(mutant.file, textOf(mutant.file), mutant.start);
  const reaching = inOrder(reach.of(part, testsOf(scope)), mutant.file, found);
  for (let from = 0, size = 1; from < reaching.length;) {
    const long = reaching[from]!.ms > LONG;
    const short = reaching.slice(from, from + size).findIndex(({ ms }) => ms > LONG);
    const next = from + (long ? 1 : short > 0 ? short : size);
    const names = long ? reaching[from]!.names : undefined;
    const batch = reaching.slice(from, next).map(({ test }) => test);
    const tests = batch.filter((test) => !leftOut.has(test));
    const { failed, name } =
      tests.length > 0 ? await ask({ mutant, tests, names }) : { failed: null };
    if (failed === null) {
      [from, size] = [next, 3 * size];
      continue;
    }
    // Once more without it, if it fails whatever the fault.
    if (!(await isSound(failed, name))) continue;
    found.set(failed, (found.get(failed) ?? 0) + 1);
    if (existsSync(failed)) {
      const of = hashOf(failed);
      appendFileSync(CACHE, `${JSON.stringify({ key: keyOf(mutant), failed, of })}\n`);
    }
    return failed;
  }
  return null;
}

/** Wilson's 95 % interval of a proportion. */
function interval(hits: number, n: number): [number, number] {
  const z = 1.96;
  const middle = (hits + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt((hits * (n - hits)) / n + (z * z) / 4);
  return [middle - half, middle + half];
}

const scopes = SCOPES.filter(({ name }) => values.scope === undefined || name === values.scope);
if (scopes.length === 0) throw new Error(`--scope: expected ${SCOPES.map(({ name }) => name).join(", ")}`); // prettier-ignore
const all = scopes.flatMap((scope) =>
  sourcesOf(scope)
    .filter((file) => file.startsWith(values.file ?? ""))
    .flatMap((file) => mutantsOf(file, textOf(file)).map((mutant) => ({ scope, mutant }))),
);
const reach = new Reach([...new Set(scopes.flatMap(testsOf))]);
const random = seedrandom(values.seed);
const order = all.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at);
const chosen = order.slice(0, Number(values.sample ?? all.length)).map(({ one }) => one);

let interrupted = false;
process.once("SIGINT", () => {
  interrupted = true;
  process.stderr.write("\nending after this mutant\n");
});

const survivors: Mutant[] = [];
let [caught, equivalent] = [0, 0];
for (const { scope, mutant } of chosen) {
  if (interrupted) break;
  if (isEquivalent(mutant)) {
    equivalent++;
    continue;
  }
  const failed = await findFault(scope, mutant);
  if (failed === null) survivors.push(mutant);
  else caught++;
  const count = caught + survivors.length + equivalent;
  process.stderr.write(`${count}/${chosen.length} ${failed === null ? "SURVIVED" : `found by ${failed}`}: ${describeMutant(mutant)}\n`); // prettier-ignore
}
await endSession();

const n = caught + survivors.length;
const percent = (x: number) => `${(100 * x).toFixed(1)} %`;
const [low, high] = interval(caught, n);
process.stdout.write(
  `${caught} of ${n} faults found, ${percent(caught / n)} (95 % interval of the sample: ${percent(low)} to ` +
    `${percent(high)}); ${equivalent} that change nothing left out; ${all.length} faults in scope\n` +
    survivors.map((mutant) => `  survived: ${describeMutant(mutant)}\n`).join(""),
);
process.exit(interrupted ? 130 : caught / n >= 0.95 ? 0 : 1);
