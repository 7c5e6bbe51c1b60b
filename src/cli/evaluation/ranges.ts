/**
 * What is searched for each method where the user gives nothing else: documented ranges, from the
 * papers and from what the options mean, never from the data at hand. `--settings` replaces them.
 * @module
 */
import { expandGrid, type Candidate } from "../../learning/index.js";
import { seededUniforms } from "../../data/shuffle.js";

/** A positive number on a logarithmic scale. */
export interface LogRange {
  readonly from: number;
  readonly to: number;
  /** Values of a grid, `from` and `to` among them. */
  readonly points: number;
}

/** By option: a range, or a few values; the strongest penalty first. */
export type Ranges = Readonly<Record<string, LogRange | readonly unknown[]>>;

const range = (from: number, to: number, points: number): LogRange => ({ from, to, points });

/** K from public knowledge of the models' size; one of these is within a factor of three. */
const CLIPS = [100, 10, 1];
const projected = { lambda: range(10, 0.01, 4), clip: CLIPS };

/** Every method of the command line is here. */
const RANGES: Readonly<Record<string, Ranges>> = {
  "single-task": { lambda: range(1, 1e-4, 9) },
  "trace-norm": { lambda: range(10, 1e-3, 9) },
  "group-sparse": { lambda: range(10, 1e-3, 9) },
  "low-rank-sparse": { lambda: range(10, 0.01, 4), lambda2: range(10, 0.01, 4) },
  "mean-regularized": { lambda: range(1, 1e-4, 5) },
  "task-relationship": { lambda: range(0.1, 1e-4, 4), lambda2: range(0.01, 1e-5, 4) },
  "mp-low-rank": projected,
  "mp-group-sparse": projected,
  "mp-low-rank-sparse": { lambda: range(1, 0.01, 3), lambda2: range(1, 0.01, 3), clip: [10, 1] },
  "dp-aggregation": { lambda: range(10, 0.01, 4), slopeBound: [10, 1] },
  "dp-task-relationship": { lambda: range(10, 0.1, 3), lambda2: range(1, 0.01, 3), rounds: [1] },
  "mp-feature-learning": { sharing: ["full", "diagonal"], rounds: [1, 2] },
  "mp-hierarchical": { meanWeight: [0.25, 0.5, 0.75] },
  pmtl: { lambda: range(1, 0.001, 4), clip: [10, 1, 0.1] },
  "private-fedavg": { clip: [10, 1, 0.1], rounds: [5, 20] },
  "private-fedprox": { lambda: range(1, 0.01, 3), clip: [10, 1, 0.1] },
};

/** The documented ranges of a method. */
export function defaultRanges(method: string): Ranges {
  return RANGES[method] ?? {};
}

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
