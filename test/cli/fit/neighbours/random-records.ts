/**
 * Random tables of which one record differs, and fits that hide records.
 * @module
 */
import seedrandom from "seedrandom";
import { pick } from "./draws.js";
import { besideMethod } from "./random-flags.js";
import { tablePair, type TablePair } from "./random-tables.js";

/** A table in two worlds that differ in one record, and whose own part may differ: "" where all models are made of releases alone. */
export interface RecordPair extends TablePair {
  readonly hidden: string;
}

const NOISY = ["--unit", "record", "--own-model", "noisy"] as const;
const METHODS = [
  ["mp-mixed", ...NOISY],
  ["pmtl", "--rounds", "3", "--local-steps", "2", ...NOISY],
  ["private-fedavg", "--rounds", "3", ...NOISY],
  ["private-fedprox", "--rounds", "3", ...NOISY],
  ["mp-mixed", "--unit", "record"],
  ["mp-mixed", "--unit", "both"],
  ["pmtl", "--rounds", "3", "--unit", "record"],
  ["private-fedavg", "--rounds", "3", "--unit", "both"],
  ["mp-feature-learning", "--unit", "record"],
  ["mp-hierarchical", "--unit", "both"],
] as const;

/** Worlds that differ in one of the lines in which these do; undefined where lines are of several rows, or sizes differ, so that no single line is a record. */
export function oneRecord(
  { resized, texts }: TablePair,
  random: () => number,
): TablePair["texts"] | undefined {
  const [here, there] = texts.map((text) => text.split("\n"));
  if (resized || here!.length !== there!.length) return undefined;
  const differ = here!.flatMap((line, k) => (line === there![k] ? [] : [k]));
  const at = differ.length > 0 ? pick(random, differ) : -1;
  return [texts[0], here!.map((line, k) => (k === at ? there![k]! : line)).join("\n")];
}

/** The pair of a seed; undefined where no single line is a record. */
export function recordPair(seed: string): RecordPair | undefined {
  const random = seedrandom(`${seed}: record`);
  const pair = tablePair(seed);
  if (!oneRecord(pair, () => 0)) return undefined;
  const method = pick(random, METHODS);
  const isNoisy = (method as readonly string[]).includes("noisy");
  return {
    ...pair,
    texts: oneRecord(pair, random)!,
    hidden: isNoisy ? "" : pair.changed,
    flags: [
      ...besideMethod(pair.flags),
      "--method",
      ...method,
      "--epsilon",
      pick(random, ["2", "20"]),
    ],
  };
}
