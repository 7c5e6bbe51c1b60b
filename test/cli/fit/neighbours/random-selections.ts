/**
 * Random tables whose fits choose an option under the budget.
 * @module
 */
import seedrandom from "seedrandom";
import { pick } from "./draws.js";
import { besideMethod } from "./random-flags.js";
import { tablePair, type TablePair } from "./random-tables.js";

const METHODS = [
  ["mp-low-rank", "--normalize", "rows"],
  ["mp-group-sparse", "--normalize", "rows"],
  ["private-fedavg", "--rounds", "3"],
  ["pmtl", "--rounds", "3"],
  ["mp-feature-learning"],
  ["mp-mixed"],
] as const;
const LAWS = ["all", "geometric:3", "logarithmic:2", "poisson:2"] as const;
/** The pair of a seed, with a selection in the place of its fit. */
export function selectionOf(seed: string): TablePair {
  const random = seedrandom(`${seed}: selection`);
  const pair = tablePair(seed);
  return {
    ...pair,
    flags: [
      ...besideMethod(pair.flags),
      "--method",
      ...pick(random, METHODS),
      "--epsilon",
      pick(random, ["2", "20"]),
      "--tune",
      "private",
      "--trials",
      "3",
      "--repetitions",
      pick(random, LAWS),
      "--folds",
      "2",
      "--seed",
      "7",
    ],
  };
}
