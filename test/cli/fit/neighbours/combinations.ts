/**
 * Fits that random flags do not come by: methods, units and options together, each on a random table of its own.
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import seedrandom from "seedrandom";
import { besideMethod } from "./random-flags.js";
import { oneRecord, type RecordPair } from "./random-records.js";
import { tablePair } from "./random-tables.js";

/** A fit that is asked for. */
interface Combination {
  /** Its method, and what is asked of it, between blanks. */
  readonly flags: string;
  /** What of a table differs: all rows of a task where nothing else is said. */
  readonly differs?: "record";
  /** Whether all models are made of releases alone, the changed task's among them. */
  readonly everyone?: true;
  /** How many labels the target has: 0 of numbers; any where nothing is said. */
  readonly labels?: number;
  /** Whether it starts from a public prior of the one feature that it has. */
  readonly publicPrior?: true;
}

/** Who takes part is drawn by the seed, and not kept with the releases. */
const SEEDED = "--seed 7";
const CENTER = "--missing center";

export const COMBINATIONS: readonly Combination[] = [
  { flags: "mp-low-rank-sparse --normalize rows --rounds 3" },
  { flags: "mp-low-rank-sparse --normalize rows --rounds 3 --curator untrusted", labels: 0 },
  { flags: "mp-low-rank-sparse --normalize rows --rounds 3 --choice pooled --noise float" },
  {
    flags: "mp-low-rank-sparse --normalize rows --rounds 3 --choice local --row-precision float32",
  },
  { flags: "mp-low-rank --normalize rows --rounds 3 --choice local --curator untrusted" },
  { flags: "mp-group-sparse --normalize rows --rounds 3 --choice local --mechanism laplace-diagonal --delta 0" }, // prettier-ignore
  { flags: "ppsgd --rounds 3 --finetune ewc:3:0.5 --safeguard yes" },
  { flags: `ppsgd --rounds 2 --sampling poisson:0.5 --adjacency zero-out ${SEEDED}` },
  { flags: "ppsgd --rounds 3 --aggregate trimmed-mean:0.2 --choice pooled" },
  { flags: "pmtl-projected --rounds 3 --output average --choice local" },
  { flags: "pmtl-projected --rounds 3 --aggregate median-of-means:3 --row-precision float32" },
  { flags: "joint-dp-sgd --rounds 3" },
  { flags: `joint-dp-sgd --rounds 2 --sampling allocation:1 --adjacency zero-out ${SEEDED}` },
  { flags: "dp-task-relationship --normalize rows --intercept no" },
  { flags: `dp-task-relationship --normalize rows --intercept no --unit record ${CENTER}`, differs: "record" }, // prettier-ignore
  { flags: `pmtl --rounds 2 --unit record --record-rate 0.5 ${CENTER} ${SEEDED}`, differs: "record" }, // prettier-ignore
  { flags: "pmtl --rounds 3 --unit both --noise float" },
  { flags: `pmtl --rounds 2 --sampling fixed:3 ${SEEDED}` },
  { flags: "pmtl --rounds 3 --finetune symmetrized-kl:3:0.5 --model network --hidden-units 3" },
  { flags: `private-fedavg --rounds 3 --unit record --own-model noisy ${CENTER}`, differs: "record", everyone: true, labels: 3 }, // prettier-ignore
  { flags: "private-fedavg --rounds 3 --clip auto --choice pooled --finetune mean-regularized:3:0.5" }, // prettier-ignore
  { flags: `mp-hierarchical --unit record ${CENTER}`, differs: "record" },
  { flags: "mp-hierarchical --curator untrusted --choice local --upload-scaling clipped" },
  { flags: "mp-mixed", labels: 3, publicPrior: true },
  { flags: "mp-mixed --scale auto", labels: 2, publicPrior: true },
];

/** Coefficients of the first column, which is of numbers: of several labels for each but the first. */
function priorOf(labels: readonly string[]): object {
  const model = { coefficients: { c0: 0.01 }, intercept: 0.5 };
  if (labels.length < 3) return model;
  return { classes: Object.fromEntries(labels.slice(1).map((label) => [label, model])) };
}

/**
 * A table of a combination, the k-th that is drawn for it; undefined of one that it does not suit.
 * @param folder for its public prior.
 */
export function combinedPair(
  { flags, differs, everyone, labels, publicPrior }: Combination,
  k: number,
  folder: string,
): RecordPair | undefined {
  const seed = `${flags}: ${k}`;
  const pair = tablePair(seed);
  const isStreamed = pair.flags.includes("--stream");
  const suits = labels === undefined || labels === pair.labels.length;
  if (!suits || isStreamed || pair.resized) return undefined;
  const texts = differs ? oneRecord(pair, seedrandom(seed)) : pair.texts;
  if (!texts) return undefined;
  const prior = join(folder, `${k}.json`);
  if (publicPrior) writeFileSync(prior, JSON.stringify(priorOf(pair.labels)));
  const own = ["--method", ...flags.split(" ")];
  const beside = besideMethod(pair.flags);
  // What the combination says itself counts.
  const isSaid = (flag: string | undefined) =>
    flag?.startsWith("--") === true && own.includes(flag);
  const given = beside.filter((flag, at) => !isSaid(flag) && !isSaid(beside[at - 1]));
  return {
    ...pair,
    texts,
    hidden: everyone ? "" : pair.changed,
    flags: [
      ...given,
      ...own,
      ...(publicPrior ? ["--public-prior", prior, "--features", "c0"] : []),
    ],
  };
}
