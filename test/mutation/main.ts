/**
 * `npm run mutation -- [--scope NAME] [--file PREFIX] [--sample N] [--seed S]`: plants small faults one by one and
 * says which of them no test finds. Progress goes to stderr, the score and the survivors to stdout.
 *
 * What was found stays in build/mutation.jsonl and is not asked again while the source and the test that found it are
 * as they were.
 * @module
 */
import { createHash } from "node:crypto";
import { fork, type ChildProcess } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import seedrandom from "seedrandom";
import { describeMutant, mutantsOf, type Mutant } from "./mutants.js";
import { SCOPES, sourcesOf, testsFor, type Scope } from "./scope.js";
import type { Answer, Question } from "./session.js";

const CACHE = "build/mutation.jsonl";
/** Test files that run before the first failure is looked for; first the likeliest alone. */
const BATCH = 4;
/** A batch that takes longer is in a loop without end. */
const LIMIT = 300_000;

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
const hash = (file: string) => createHash("sha256").update(textOf(file)).digest("hex").slice(0, 16);

function isEquivalent({ file, line, original, replacement }: Mutant): boolean {
  const written = textOf(file).split("\n")[line - 1]!.trim();
  return equivalents.some(
    (known) =>
      known.file === file &&
      known.line === written &&
      known.original === original &&
      known.replacement === replacement,
  );
}

/** What earlier runs found: by file, hash of it and place of the fault, the test that failed and its hash. */
const known = new Map<string, string>();
const keyOf = ({ file, start, end, replacement }: Mutant) =>
  [file, hash(file), start, end, replacement].join(" ");
mkdirSync("build", { recursive: true });
if (existsSync(CACHE))
  for (const line of readFileSync(CACHE, "utf8").split("\n").filter(Boolean)) {
    const { key, failed, of } = JSON.parse(line) as { key: string; failed: string; of: string };
    if (existsSync(failed) && hash(failed) === of) known.set(key, failed);
  }

/** The process that runs tests; made when needed, and again after one that hung. */
let session: Promise<ChildProcess> | undefined;
const openSession = () =>
  (session ??= new Promise((resolve, reject) => {
    const child = fork("build/mutation-session.mjs", { detached: true, stdio: ["ignore", "ignore", "inherit", "ipc"] }); // prettier-ignore
    child.once("message", () => resolve(child));
    child.once("exit", (code) => reject(new Error(`the session ended with code ${code}`)));
  }));

async function endSession(): Promise<void> {
  const child = await session;
  session = undefined;
  // The workers of the session are in its group.
  if (child?.pid !== undefined) process.kill(-child.pid, "SIGKILL");
}

/** The test that fails, or why none could end; null if all pass. */
async function ask(question: Question): Promise<string | null> {
  const child = await openSession();
  const answer = await new Promise<Answer | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), LIMIT);
    const end = (found: Answer | undefined) => {
      clearTimeout(timer);
      child.removeListener("exit", lost);
      resolve(found);
    };
    const lost = () => end(undefined);
    child.once("message", (found) => end(found as Answer));
    child.once("exit", lost);
    child.send(question);
  });
  if (answer) return answer.failed;
  await endSession();
  return "no end";
}

const found = new Map<string, number>();
/** Whether tests pass where nothing is mutated. */
const sound = new Map<string, boolean>();

/** A test that fails without a fault finds nothing: it is left out, which is said. */
async function isSound(test: string): Promise<boolean> {
  if (!existsSync(test)) return true;
  if (!sound.has(test)) {
    sound.set(test, (await ask({ mutant: null, batches: [[test]] })) === null);
    if (!sound.get(test)) process.stderr.write(`${test} fails as it is, and is left out\n`);
  }
  return sound.get(test)!;
}

/** What finds a mutant; null for a survivor. */
async function findFault(scope: Scope, mutant: Mutant): Promise<string | null> {
  const cached = known.get(keyOf(mutant));
  if (cached !== undefined) return cached;
  const tests = testsFor(scope, mutant.file, found);
  for (let from = 0, next = 1; from < tests.length;) {
    const batch = tests.slice(from, next).filter((test) => sound.get(test) !== false);
    const failed = batch.length > 0 ? await ask({ mutant, batches: [batch] }) : null;
    if (failed === null) {
      [from, next] = [next, next + BATCH];
      continue;
    }
    // Once more without it, if it fails whatever the fault.
    if (!(await isSound(failed))) continue;
    found.set(failed, (found.get(failed) ?? 0) + 1);
    if (existsSync(failed)) {
      const of = hash(failed);
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
if (session) await endSession();

const n = caught + survivors.length;
const percent = (x: number) => `${(100 * x).toFixed(1)} %`;
const [low, high] = interval(caught, n);
process.stdout.write(
  `${caught} of ${n} faults found, ${percent(caught / n)} (95 % interval of the sample: ${percent(low)} to ` +
    `${percent(high)}); ${equivalent} that change nothing left out; ${all.length} faults in scope\n` +
    survivors.map((mutant) => `  survived: ${describeMutant(mutant)}\n`).join(""),
);
process.exit(interrupted ? 130 : caught / n >= 0.95 ? 0 : 1);
