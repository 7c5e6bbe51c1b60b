/**
 * Any differentiable model of one task alone: held to the public starting point, as strongly as its own
 * held-out rows say. For the linear model, which starts at zero, that is ridge.
 * @module
 */
import type { ResidentModel } from "../../../models/resident-model.js";
import { Minimizer } from "../../../steps/minimize.js";

/** Strengths tried, from the strongest, for losses divided by n_i. */
export const STRENGTHS = [1, 0.1, 0.01, 0.001];

/** Where the objective is close enough to its minimum, relative to 1 + F and to the strength. */
const TOLERANCE = 1e-4;
/** A network need not be at its minimum: what it reached is what the held-out rows judge. */
const MOST_ITERATIONS = 50;

/** What is held to where. */
export interface NearStart {
  readonly model: ResidentModel;
  /** Leading parameters that are held; the rest (intercepts) are free. */
  readonly held: number;
  /** [parameters], public. */
  readonly start: Float64Array;
}

/**
 * Every task's argmin L_i(w) + (s/2) ||w - start||^2 by L-BFGS, down the list of strengths, each from
 * the one before; stops after every task.
 *
 * @param upTo [m], position of the last strength that task i is solved for; default all.
 * @returns for every strength the models [m, parameters]; those beyond `upTo` are those at it.
 */
export function* nearStart(
  { model, held, start }: NearStart,
  upTo: Uint8Array | undefined,
): Generator<void, Float64Array[]> {
  const { core, m, unit } = model.tasks;
  const { arena, kernels } = core;
  const size = model.parameters;
  const found = STRENGTHS.map(() => new Float64Array(m * size));
  const mark = arena.mark();
  const minimizer = new Minimizer(core, size);
  const [at, apart, from] = [arena.f64(size), arena.f64(held), arena.copyOf(start)];
  for (let i = 0; i < m; i++) {
    arena.view(at, size).set(start);
    STRENGTHS.forEach((factor, k) => {
      const strength = factor * unit;
      if (k <= (upTo?.[i] ?? STRENGTHS.length)) {
        minimizer.minimize(
          (trial, gradient) => {
            const loss = model.valueAndGradient(i, trial, gradient);
            arena.view(apart, held).set(arena.view(trial, held));
            kernels.axpy(-1, from, apart, held);
            kernels.axpy(strength, apart, gradient, held);
            return loss + (strength / 2) * kernels.dot(apart, apart, held);
          },
          at,
          { squaredTolerance: 2 * strength * TOLERANCE, maxIterations: MOST_ITERATIONS },
        );
      }
      found[k]!.set(arena.view(at, size), i * size);
    });
    yield;
  }
  arena.release(mark);
  return found;
}

/**
 * The strength of the least held-out loss for every task, the strongest of equals.
 * @param losses for every strength those of all rows, [N].
 * @returns [m], its position.
 */
export function bestStrengths(losses: readonly Float64Array[], offsets: Uint32Array): Uint8Array {
  return Uint8Array.from({ length: offsets.length - 1 }, (_, i) => {
    const sums = losses.map((of) =>
      of.subarray(offsets[i], offsets[i + 1]).reduce((sum, loss) => sum + loss, 0),
    );
    const least = Math.min(...sums.map((sum) => (Number.isFinite(sum) ? sum : Infinity)));
    // A task of one row holds nothing out: one in the middle.
    if (offsets[i + 1]! - offsets[i]! < 2) return Math.floor(STRENGTHS.length / 2);
    return Math.max(0, sums.indexOf(least));
  });
}
