/**
 * The trace norm in a small subspace of features that follows the gradient.
 *
 * A solution of rank r lies in an r-dimensional subspace of the d features. With an orthonormal basis
 * B[k, d] the models W = A B are those of the same tasks with the k features X B^T, and
 * ||A B||_* = ||A||_*: a problem of the same kind, k instead of d wide. Its solution is checked against
 * the whole problem by the duality gap, which needs the gradient G of all features; where G has
 * singular values above lambda, its singular vectors join the basis. The basis keeps the models' own
 * directions and those of one step before, so that the steps improve on each other as conjugate
 * gradients do: the gap falls ten- to twentyfold a step where the tasks' features are alike.
 *
 * @see Avron, Kale, Kasiviswanathan, Sindhwani (2012) and Hsieh and Olsen (2014), for active subspaces of
 *   the trace norm; Knyazev (2001), for keeping the previous directions.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { normConjugate, Spectrum } from "../certificates/conjugate.js";
import { DualityGap, type Gap } from "../certificates/duality-gap.js";
import { traceNormPenalty } from "../penalties/trace-norm.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { timeSlice } from "../../round/run.js";
import { Basis } from "./basis.js";
import {
  certificateOf,
  UNKNOWN_GAP,
  type Check,
  type PenalizedSolution,
  type SolverOptions,
} from "./problem.js";
import { splitHalf } from "../splitting/half.js";
import { solveBySplitting } from "../splitting/solve.js";
import { splittingPays } from "../splitting/suits.js";

/** Below this many features the whole problem is small enough. */
const SMALLEST = 64;
/** Directions that join at once, at most, and those beyond the ones that the certificate asks for. */
const MOST_NEW = 30;
const SPARE = 2;
/** The gap asked of the small problem, relative to the present gap and to the tolerance. */
const INNER = 0.02;
const INNER_LAST = 0.2;
/** Two steps in a row that leave more of the gap than this end the attempt. */
const STALLED = 0.7;
/** Singular values below this part of the largest are rounding. */
const ROUNDING = 1e-12;

/** min over W of sum_i L_i(w_i) + lambda ||W||_*, squared loss. */
export interface SubspaceProblem extends SolverOptions {
  readonly lambda: number;
}

/** Whether the features are many enough. */
export const subspacePays = ({ d }: { readonly d: number }): boolean => d >= SMALLEST;

/** Whether what a step needs fits. */
export function subspaceFits({ d, rows, core }: ResidentTasks): boolean {
  return core.arena.fits(8 * rows * (d / 4));
}

/**
 * Runs until the relative duality gap is at most `tolerance`, or `maxRounds` rounds of the small
 * problems are done, or the method does not suit the problem (the rank is too large): then the
 * certificate is not met, and another solver may go on from the models.
 */
export async function solveInSubspace(problem: SubspaceProblem): Promise<PenalizedSolution> {
  const { tasks, lambda, start, tolerance, maxRounds, signal } = problem;
  const { m, d, core } = tasks;
  const { arena } = core;
  const weights = arena.copyOf(start.weights);
  const intercepts = tasks.intercept ? arena.copyOf(start.intercepts) : 0;
  const spectrum = new Spectrum(core, m, d);
  const basis = new Basis(core, d, Math.floor(d / 3));
  let { nuclear, rank, fits } = enter(weights, tasks, basis);
  let values: Float64Array = new Float64Array(d);
  const gap = new DualityGap(
    tasks,
    normConjugate(lambda, (gradient) => (values = spectrum.of(gradient))[0]!),
  );

  const history: Check[] = [];
  const pauseIfDue = timeSlice();
  let last: Gap = UNKNOWN_GAP;
  let rounds = 0;
  let stalls = 0;
  const mark = arena.mark();
  for (;;) {
    signal?.throwIfAborted();
    const before = last.relative;
    last = gap.at(weights, intercepts, lambda * nuclear);
    history.push({ round: rounds, objective: last.objective, gap: last.relative });
    stalls = last.relative < STALLED * before ? 0 : stalls + 1;
    if (last.relative <= tolerance || stalls === 2 || rounds >= maxRounds) break;
    const steep = values.filter((value) => value > lambda).length;
    fits &&= basis.add(spectrum.vectors, d, Math.min(d, MOST_NEW, Math.max(rank, steep) + SPARE));
    const small = fits ? project(tasks, basis) : undefined;
    if (!small) break;
    const from = {
      weights: coordinates(weights, tasks, basis),
      intercepts: intercepts ? arena.view(intercepts, m).slice() : start.intercepts,
    };
    const solved = await solveProjected(problem, small, from, { rounds, gap: last.relative });
    rounds += solved.rounds;
    nuclear = solved.nuclear;
    rank = solved.rank ?? rank;
    if (intercepts) arena.view(intercepts, m).set(arena.view(solved.intercepts, m));
    fits = lift(solved.weights, rank, small, basis, weights, d);
    arena.release(mark);
    const pause = pauseIfDue();
    if (pause) await pause;
  }
  return {
    weights,
    intercepts,
    objective: last.objective,
    penalty: lambda * nuclear,
    certificate: certificateOf(last, tolerance),
    rounds,
    history,
  };
}

/** Nuclear norm and rank of the models to start from, whose directions become the basis. */
function enter(weights: Pointer, { core, m, d }: ResidentTasks, basis: Basis) {
  const { arena, kernels } = core;
  if (kernels.dot(weights, weights, m * d) === 0) return { nuclear: 0, rank: 0, fits: true };
  const mark = arena.mark();
  const r = Math.min(m, d);
  const copy = arena.copyOf(arena.view(weights, m * d).slice());
  const [u, s, v] = [arena.f64(m * r), arena.f64(r), arena.f64(d * r)];
  const failed = kernels.svd(copy, u, s, v, m, d, arena.bytes(kernels.svdWorkspace(m, d))) !== 0;
  const values = arena.view(s, r).slice();
  const rank = values.filter((value) => value > ROUNDING * values[0]!).length;
  const fits = !failed && basis.add(v, r, rank);
  arena.release(mark);
  return { nuclear: values.reduce((sum, value) => sum + value, 0), rank, fits };
}

/** The tasks with the features X B^T; undefined where the small problem would not be small. */
function project(tasks: ResidentTasks, { rows, k }: Basis): ResidentTasks | undefined {
  const { core, d } = tasks;
  const { arena } = core;
  if (!arena.fits(8 * tasks.rows * k)) return undefined;
  const x = arena.f64(tasks.rows * k, "the projected features");
  if (tasks.isDense) multiplyTransposed(core, tasks.x, rows, x, tasks.rows, d, k);
  else projectSparse(tasks, rows, x, k);
  const small = tasks.withFeatures(x, k);
  const { m, mostRows } = small;
  return splittingPays({ m, d: k, rows: tasks.rows, mostRows }, 1) ? small : undefined;
}

/** Models A of the tasks with the features X B^T, from `start` on, to a part of the gap that there was before. */
async function solveProjected(
  { lambda, tolerance, maxRounds, signal, onRound }: SubspaceProblem,
  small: ResidentTasks,
  start: SubspaceProblem["start"],
  before: { readonly rounds: number; readonly gap: number },
) {
  const { core, m, d } = small;
  const shared = traceNormPenalty(lambda);
  const half = splitHalf(small, { shared }, start);
  let rank: number | undefined;
  const { rounds, penalty } = await solveBySplitting({
    core,
    m,
    d,
    half,
    shared,
    isSquared: true,
    signal,
    tolerance: Math.max(INNER * before.gap, INNER_LAST * tolerance),
    maxRounds: maxRounds - before.rounds,
    onRound: (report) => {
      rank = report.rank;
      onRound?.({ ...report, round: before.rounds + report.round, rounds: maxRounds });
    },
  });
  return {
    weights: half.steps.weights,
    intercepts: half.intercepts,
    nuclear: penalty / lambda,
    rank,
    rounds,
  };
}

/** out[N, k] = X B^T of sparse rows, B[k, d]. */
function projectSparse(tasks: ResidentTasks, basis: Pointer, out: Pointer, k: number): void {
  const { core, rows, d } = tasks;
  const { arena, kernels } = core;
  const mark = arena.mark();
  const columns = arena.f64(k * rows);
  const offsets = arena.bytes(8);
  arena.words(offsets, 2).set([0, rows]);
  const all = tasks.place({ offsets, m: 1 });
  for (let j = 0; j < k; j++)
    kernels.taskPredict(all, basis + 8 * j * d, 0, columns + 8 * j * rows);
  kernels.transpose(columns, out, k, rows);
  arena.release(mark);
}

/** W B^T, [m, k]: the models in the basis. */
function coordinates(weights: Pointer, { core, m, d }: ResidentTasks, { rows, k }: Basis) {
  const out = core.arena.f64(m * k);
  multiplyTransposed(core, weights, rows, out, m, d, k);
  return core.arena.view(out, m * k).slice();
}

/** out[rows, k] = A[rows, d] B[k, d]^T. */
function multiplyTransposed(
  { arena, kernels }: Core,
  a: Pointer,
  b: Pointer,
  out: Pointer,
  rows: number,
  d: number,
  k: number,
): void {
  const transposed = arena.f64(d * k);
  kernels.transpose(b, transposed, k, d);
  kernels.gemm(a, transposed, out, rows, d, k, arena.bytes(kernels.gemmWorkspace(rows, d, k)));
}

/** W = A B, and the basis cut back to the directions of A (of that rank) and those before. */
function lift(
  models: Pointer,
  rank: number,
  { core, m, d: k }: ResidentTasks,
  basis: Basis,
  weights: Pointer,
  d: number,
): boolean {
  const { arena, kernels } = core;
  kernels.gemm(models, basis.rows, weights, m, k, d, arena.bytes(kernels.gemmWorkspace(m, k, d)));
  const spectrum = new Spectrum(core, m, k);
  spectrum.of(models);
  const directions = arena.f64(k * k);
  kernels.transpose(spectrum.vectors, directions, k, k);
  return basis.settle(directions, rank);
}
