/**
 * What a record-level baseline releases: how near a solution must be, the bound that covers it, and the plan of its noise.
 * @module
 */
import type { PublicSizes } from "../../round/halves.js";
import type { ReleasePlan } from "../../round/release-plan.js";
import { planReleases } from "../../release/plan-releases.js";
import type { RecordLevelOptions } from "./options.js";

/** Share of the sensitivity by which a solution may miss the exact one, either side. */
const INEXACT = 1e-6;

/** How far rounding takes a solution from where its steps end, for one term of one row's margin, in units of 2^-52. */
const ROUNDINGS = 16;

/**
 * How far solutions are found, and the bound K of the release that covers it, twice over.
 *
 * Rounding is of the size of the models, which may be as large as n parts times what one record moves, and a margin of d terms that is
 * off by as much moves the solution by the condition number of it: next to nothing, unless the penalty is tiny.
 * @param exact     how far one record moves the exact release, half of that under replace.
 * @param condition L / mu of the problem, from public sizes.
 * @param sizes     of the largest task, and of how many tasks the release is the average.
 */
export function releaseBound(
  exact: number,
  condition: number,
  { mostRows, d, parts }: { mostRows: number; d: number; parts: number },
): { distance: number; clip: number } {
  const rounding = ROUNDINGS * 2 ** -52 * mostRows * (d + 8) * parts * condition;
  return { distance: INEXACT * exact, clip: exact * (1 + 2 * (INEXACT + rounding)) };
}

/**
 * The releases of a record-level method: noise for one record, its guarantee lifted to a task unless the unit is a record.
 * @param sizes  public: tasks, rows of all of them, and the most of one.
 * @param length float64s released per round. @param clip half the sensitivity under replace.
 */
export function recordReleases(
  options: RecordLevelOptions,
  { m, rows, mostRows }: Pick<PublicSizes, "m" | "rows" | "mostRows">,
  { length: d, clip, rounds }: { length: number; clip: number; rounds: number },
): ReleasePlan {
  const { unit, slopeBound } = options;
  const plan = planReleases({
    // Exact noise rests on a bound on what is summed; here K bounds a change, not the vectors.
    options: { ...options, noise: "float" },
    stages: [{ statistic: "vector", m, d, clip, rounds }],
    ...(unit === "record" ? { unit, tasks: rows } : { tasks: m, groupSize: mostRows }),
  });
  // A ledger goes its own way: it says itself that what it was charged protects nobody.
  return slopeBound === "data" ? { ...plan, ledger: { ...plan.ledger, nominal: true } } : plan;
}
