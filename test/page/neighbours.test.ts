/**
 * Neighbouring tables through the work of the page: with the same releases, nothing that its files hold for other tasks, and no
 * coefficient that it says is paid for, may tell what one task's rows hold, but for what the guarantee lists.
 */
import seedrandom from "seedrandom";
import { expect, test } from "vitest";
import { featureColumns, guessLoss, leftOutUnasked } from "../../page/src/text/guess-columns.js";
import { guaranteeWords } from "../../page/src/text/guarantee-words.js";
import { METHODS } from "../../page/src/text/methods.js";
import { watchedFit } from "../../page/src/work/fit.js";
import type { FitOutcome, TableChoice, TableFile } from "../../page/src/work/messages.js";
import { inspectTable, loadTable } from "../../page/src/work/table.js";
import { loadModel } from "../../src/model/index.js";
import { pick, type Random } from "../cli/fit/neighbours/draws.js";
import { tablePair } from "../cli/fit/neighbours/random-tables.js";
import { KeptReleases } from "../cli/fit/neighbours/two-worlds.js";
import { decidedOf, unlistedDecisions } from "../cli/fit/neighbours/what-was-decided.js";
import { differences, seenByOthers } from "../cli/fit/neighbours/what-differs.js";
import { thorough } from "../thorough.js";

/** Tables, and how many of them at least are to be fitted in both worlds. */
const [TABLES, COMPARED] = thorough ? [60, 4] : [12, 1];

type Answers = Pick<TableChoice, "scaling" | "rangesFrom" | "missingCodes"> & {
  /** Of the columns that are stated, where ranges are: of numbers, in both worlds. */
  readonly stated: readonly string[];
};

function answersOf(random: Random, numbers: readonly string[]): Answers {
  return {
    scaling: pick(random, ["method", "method", "standardize", "unit-rows"]),
    rangesFrom: pick(random, ["table", "none", "stated"]),
    missingCodes: random() < 0.3 ? ["-99", "unknown"] : [],
    stated: numbers.filter(() => random() < 0.7),
  };
}

const fileOf = (text: string): TableFile => ({
  name: "t.csv",
  bytes: new TextEncoder().encode(text).buffer as ArrayBuffer,
});

/** What the page asks for where somebody leaves to it what it can guess. */
async function choiceOf(file: TableFile, { stated, ...answers }: Answers): Promise<TableChoice> {
  const summary = await inspectTable(file);
  const columns = featureColumns(summary, "task", "y");
  const used = columns.filter((column) => column.used);
  return {
    task: "task",
    target: "y",
    features: used.map(({ name }) => name),
    categorical: used.filter((column) => column.categorical).map(({ name }) => name),
    leftOut: leftOutUnasked(columns, {}),
    loss: guessLoss(summary.columns.find(({ name }) => name === "y")!),
    ranges: Object.fromEntries(stated.map((name) => [name, [-6, 50]] as const)),
    levelsPublic: false,
    ...answers,
  };
}

/** The columns that are of numbers in both tables, for of others the page asks for no range; undefined where one is refused. */
async function numbersIn(texts: readonly string[]): Promise<string[] | undefined> {
  const summaries = await Promise.all(texts.map((text) => inspectTable(fileOf(text)))).catch(
    () => [],
  );
  if (summaries.length === 0) return undefined;
  const [one, two] = summaries.map(({ columns }) =>
    columns.filter(({ numeric, distinct }) => numeric && distinct > 2).map(({ name }) => name),
  );
  return one!.filter((name) => two!.includes(name));
}

/** A fit of the page; undefined where it ends with an error. */
async function fitted(text: string, answers: Answers, draw: string, kept: KeptReleases) {
  const file = fileOf(text);
  try {
    const choice = await choiceOf(file, answers);
    const data = await loadTable({ file, choice, split: 0 });
    const offered = METHODS.filter(({ losses }) => losses.includes(choice.loss));
    const { method, options, rounds, clips } = pick(seedrandom(draw), offered);
    const asked = {
      ...options,
      ...(rounds === undefined ? {} : { rounds: Math.min(rounds, 3) }),
      ...(clips ? { clip: "auto" } : {}),
      epsilon: 3,
      delta: 1e-3,
    };
    return await kept.during(() => watchedFit({ data, method, options: asked }, () => undefined));
  } catch {
    return undefined;
  }
}

/** What others are given, or may be shown. */
const shared = ({ file, guarantee, summary, method, why, budget, spent }: FitOutcome, hidden: string) => ({
  model: seenByOthers(loadModel(file), hidden),
  words: guaranteeWords(guarantee),
  summary: summary?.charged ? summary : null,
  method,
  why,
  budget,
  spent,
}); // prettier-ignore

/** What two fits tell of the changed task; undefined where they are of columns that were found otherwise, and listed. */
function faultsOf(one: FitOutcome, two: FitOutcome, hidden: string): string[] | undefined {
  const [a, b] = [loadModel(one.file), loadModel(two.file)];
  if (differences(decidedOf(a), decidedOf(b)).length > 0) {
    // Which labels there are says what the loss is.
    const unlisted = unlistedDecisions(a, b).filter((words) => !words.endsWith(": the loss"));
    return unlisted.length > 0 ? unlisted : undefined;
  }
  return differences(shared(one, hidden), shared(two, hidden));
}

test(`of ${TABLES} tables the page's files hold the same for other tasks, whatever one task's rows hold`, async () => {
  let compared = 0;
  for (let k = 0; k < TABLES; k++) {
    const { texts, changed, resized } = tablePair(`page ${k}`);
    const numbers = await numbersIn(texts);
    if (resized || !numbers) continue;
    const answers = answersOf(seedrandom(`answers ${k}`), numbers);
    const kept = new KeptReleases();
    const world = (text: string) => fitted(text, answers, `method ${k}`, kept);
    // The first one draws the releases, which both others are given.
    if (!(await world(texts[0]))) continue;
    const one = await world(texts[0]);
    const before = kept.used;
    const two = await world(texts[1]);
    expect(two ?? kept.used, `table ${k} ends before its releases`).toEqual(two ?? before);
    if (!two) continue;
    const faults = faultsOf(one!, two, changed);
    expect(faults ?? [], `table ${k}: ${one!.method}`).toEqual([]);
    if (faults) compared++;
  }
  expect(compared).toBeGreaterThanOrEqual(COMPARED);
}, 300_000);
