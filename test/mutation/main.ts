/**
 * `npm run mutation -- [--faults [--area NAME] | --scope NAME] [--file PREFIX] [--sample N] [--seed S] [--within SECONDS]`:
 * plants faults one by one, those of the list in faults/ or small random ones, and says which of them no test finds.
 * Progress goes to stderr, the score and the survivors to stdout.
 * @module
 */
import { parseArgs } from "node:util";
import seedrandom from "seedrandom";
import { AREAS } from "./faults/all.js";
import { Hunt } from "./hunt.js";
import { isEquivalent } from "./equivalent.js";
import { describeMutant, mutantsOf, planted, textOf, type Mutant } from "./mutants.js";
import { scoreWords, shuffled } from "./score.js";
import { SCOPES, sourcesOf, testsOf } from "./scope.js";
import { endSession } from "./tester.js";

const { values } = parseArgs({
  options: {
    faults: { type: "boolean", default: false },
    area: { type: "string" },
    scope: { type: "string" },
    file: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    within: { type: "string", default: "Infinity" },
  },
});

/** What is planted, the tests that have to find it, and what it breaks. */
interface Candidate {
  readonly mutant: Mutant;
  readonly tests: readonly string[];
  readonly breaks?: string;
}

function ofList(): Candidate[] {
  const areas = Object.keys(AREAS).filter((name) => (values.area ?? name) === name);
  if (areas.length === 0) throw new Error(`--area: expected ${Object.keys(AREAS).join(", ")}`);
  return areas.flatMap((name) =>
    AREAS[name]!.map((fault) => {
      const of = SCOPES.filter((scope) => sourcesOf(scope).includes(fault.file));
      const tests = [...new Set(of.flatMap(testsOf))];
      return { mutant: planted(fault), tests, breaks: fault.breaks };
    }),
  );
}

function random(): Candidate[] {
  const scopes = SCOPES.filter(({ name }) => (values.scope ?? name) === name);
  if (scopes.length === 0) throw new Error(`--scope: expected ${SCOPES.map(({ name }) => name).join(", ")}`); // prettier-ignore
  return scopes.flatMap((scope) => {
    const tests = testsOf(scope);
    return sourcesOf(scope).flatMap((file) =>
      mutantsOf(file, textOf(file)).map((mutant) => ({ mutant, tests })),
    );
  });
}

const all = (values.faults ? ofList() : random()).filter(({ mutant }) =>
  mutant.file.startsWith(values.file ?? ""),
);
const hunt = new Hunt([...new Set(all.flatMap(({ tests }) => tests))], Number(values.within));
const chosen = shuffled(all, seedrandom(values.seed)).slice(0, Number(values.sample ?? all.length));

let interrupted = false;
process.once("SIGINT", () => {
  interrupted = true;
  process.stderr.write("\nending after this one\n");
});

const survivors: Candidate[] = [];
let [caught, equivalent] = [0, 0];
for (const candidate of chosen) {
  if (interrupted) break;
  const { mutant, tests } = candidate;
  if (!values.faults && isEquivalent(mutant)) {
    equivalent++;
    continue;
  }
  const failed = await hunt.find(mutant, tests);
  if (failed === null) survivors.push(candidate);
  else caught++;
  const count = caught + survivors.length + equivalent;
  process.stderr.write(`${count}/${chosen.length} ${failed === null ? "SURVIVED" : `found by ${failed}`}: ${describeMutant(mutant)}\n`); // prettier-ignore
}
await endSession();

const n = caught + survivors.length;
process.stdout.write(
  `${scoreWords(caught, n)}${values.faults ? "" : `; ${equivalent} that change nothing left out`}; ${all.length} in all\n` +
    survivors
      .map(({ mutant, breaks }) => `  survived: ${describeMutant(mutant)}${breaks ? `\n    ${breaks}` : ""}\n`)
      .join(""), // prettier-ignore
);
process.exit(interrupted ? 130 : caught / n >= 0.95 ? 0 : 1);
