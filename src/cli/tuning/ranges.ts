/**
 * Candidates from the ranges of a method, or from those that `--settings` gives instead.
 * @module
 */
import { expandGrid, type Candidate } from "../../learning/index.js";
import type { LogRange, Ranges } from "../../learning/options/method.js";
import { seededUniforms } from "../../data/split/shuffle.js";

const isRange = (one: Ranges[string]): one is LogRange => !Array.isArray(one);

/** At `share` of the way from one end to the other, to three digits. */
const between = ({ from, to }: LogRange, share: number) =>
  Number((from ** (1 - share) * to ** share).toPrecision(3));

/** All combinations; one empty candidate where there is nothing to search. */
export function gridCandidates(ranges: Ranges): Candidate[] {
  const grid = Object.entries(ranges).map(([name, one]) => {
    if (!isRange(one)) return [name, one] as const;
    const steps = Math.max(1, one.points - 1);
    const values = Array.from({ length: one.points }, (_, k) => between(one, k / steps));
    return [name, values] as const;
  });
  return expandGrid(Object.fromEntries(grid));
}

/** Larger first: the one-standard-error rule takes the first that is good enough. */
function byPreference(a: Candidate, b: Candidate): number {
  for (const name of Object.keys(a)) {
    const [x, y] = [a[name], b[name]];
    if (typeof x === "number" && typeof y === "number" && x !== y) return y - x;
  }
  return 0;
}

/**
 * Random search: every range log-uniformly, every list uniformly; repetitions are drawn once.
 *
 * @param seed the same seed and method give the same candidates; nothing else enters.
 */
export function randomCandidates(ranges: Ranges, trials: number, seed: string): Candidate[] {
  const uniform = seededUniforms(seed, "search", Object.keys(ranges).join(","));
  const drawn = new Map<string, Candidate>();
  for (let trial = 0; trial < trials; trial++) {
    const candidate = Object.fromEntries(
      Object.entries(ranges).map(([name, one]) => [
        name,
        isRange(one) ? between(one, uniform()) : one[Math.floor(uniform() * one.length)],
      ]),
    );
    drawn.set(JSON.stringify(candidate), candidate);
  }
  return [...drawn.values()].sort(byPreference);
}
