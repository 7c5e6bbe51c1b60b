/**
 * Gaussian noise on a sum of clipped vectors in exact arithmetic, under any sampling: a real normal, rounded to a grid.
 *
 * **Statement.** As for `gaussian-mean` (`vector.ts`), at the sensitivity Delta' + grid sqrt(d): Delta' of what is
 * computed (`computed-statistic.ts`), the rest for rounding it.
 *
 * **Proof.** What is released is grid (S + round(sigma N / grid)): S the value rounded to the grid, in cells, N standard
 * normal numbers. Since S holds integers, S + round(x) = round(S + x), so the release is a function of
 * grid S + sigma N, which is the Gaussian mechanism on grid S. Given who else takes part, a task moves S by at most
 * Delta' / grid + sqrt(d) in l2, with the sampling probability: the theorem of `vector.ts` for that sensitivity. The
 * normal numbers are exact (`assembly/random/exact-reals.ts`); with at most 45 bits to a cell their first 46 bits decide
 * the rounding, but for ties, which have probability 0. QED
 *
 * @module
 */
import type { Core } from "../../../core/core.js";
import type { Mechanism } from "../mechanism.js";
import { sampledEvents } from "../sampled-events.js";
import { gaussianMeanMechanism, meanWhy, type GaussianMeanOptions } from "../vector.js";
import { computedStatistic } from "./computed-statistic.js";
import { FIRST_BITS, isNegative } from "./exact-reals.js";
import { cellOf, roundedScale } from "./range.js";

/** Numbers drawn at a time. */
const CHUNK = 4096;
/** Sizes of normal numbers are below it: the kernel's limit. */
const REACH = 128;

/** Exact form of the Gaussian mean; a round's budget is its mu. */
export function roundedNormalMechanism(options: GaussianMeanOptions): Mechanism {
  const { dimension: d, adjacency = "replace", sampling = { kind: "all" } } = options;
  const real = gaussianMeanMechanism(options);
  const statistic = computedStatistic({ ...options, adjacency }, "frobenius");
  const scaled = (budget: number) =>
    roundedScale(budget, statistic, { reach: REACH, most: FIRST_BITS - 1 });
  return {
    ...real,
    exact: true,
    why: `${meanWhy(sampling)}; values rounded to a grid, exact normal numbers rounded by integer arithmetic`,
    noiseScale: (budget) => scaled(budget).scale,
    ...sampledEvents(sampling, (budget) => {
      const { scale, grid } = scaled(budget);
      const sensitivity = statistic.sensitivity + grid * statistic.spread;
      return { sigma: scale, sensitivity, adjacency };
    }),
    perturb({ kernels, arena }, random, at, budget, work) {
      const { grid, bits } = scaled(budget);
      const records = work + 8 * CHUNK;
      for (let from = 0; from < d; from += CHUNK) {
        const n = Math.min(CHUNK, d - from);
        kernels.exactReals(random.state, work, n, 1, records);
        const values = arena.view(at + 8 * from, n);
        const numbers = arena.view(work, n);
        for (let i = 0; i < n; i++) {
          const size = Math.floor(Math.abs(numbers[i]!) * 2 ** bits + 0.5);
          values[i] = (cellOf(values[i]!, grid) + (isNegative(numbers[i]!) ? -size : size)) * grid;
        }
      }
      arena.wipe(work, workspace(kernels));
    },
    workspace: ({ kernels }) => workspace(kernels),
  };
}

function workspace(kernels: Core["kernels"]): number {
  return 8 * CHUNK + kernels.exactRealsRecords();
}
