/**
 * min_W sum_i L_i(w_i) + (lambda/2) tr(W Omega^-1 W^T) for a given positive definite Omega, by accelerated proximal gradient steps.
 *
 * With the models as rows of V = W^T, the penalty's proximal point of Y at step eta is Omega (Omega + eta lambda I)^-1 Y. The conjugate
 * of the penalty at -G is tr(G^T Omega G) / (2 lambda), so with G the gradients at V the objective is above the optimum by at most
 * g(V) + g*(-G) + <V, G>, by Fenchel's inequality with the slopes taken at V: a bound that does not trust the solver.
 * @module
 */
import { largest } from "../../core/largest.js";
import { syrk } from "../../linalg/index.js";
import type { Certificate } from "../fitted/certificate.js";
import { restartedMomentum } from "../steps/momentum.js";
import { timeSlice } from "../round/run.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { polishIntercepts } from "./certificates/intercepts.js";
import type { SolverHooks, SolverLimits, Start } from "./solvers/problem.js";

/** Omega by its eigenvectors: column j of vectors[m,m], eigenvalue values[j] > 0. */
export interface Spectrum {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

/** Rounds between two looks at the gap. */
const EVERY = 10;

/** Runs until the gap is met or `maxRounds`. */
export async function solveFixedRelationship(
  tasks: ResidentTasks,
  { values, vectors }: Spectrum,
  { lambda, tolerance, maxRounds }: SolverLimits & { readonly lambda: number },
  start: Start,
  hooks: SolverHooks,
) {
  const { m, d, core } = tasks;
  const { arena, kernels } = core;
  const block = () => arena.f64(m * d);
  const weights = arena.copyOf(start.weights);
  const [before, ahead, gradient, mixed] = [arena.copyOf(start.weights), block(), block(), block()];
  const intercepts = tasks.intercept ? arena.copyOf(start.intercepts) : 0;
  const interceptsBefore = tasks.intercept ? arena.copyOf(start.intercepts) : 0;
  const interceptsAhead = tasks.intercept ? arena.f64(m) : 0;
  const interceptGradient = tasks.intercept ? arena.f64(m) : 0;
  const losses = arena.f64(m);
  const smoothness = largest(tasks.smoothness());
  const step = smoothness > 0 ? 1 / smoothness : 1;
  const mixing = arena.copyOf(mixingOf({ values, vectors }, step * lambda));
  const work = arena.bytes(kernels.gemmWorkspace(m, m, d));
  const directions = arena.copyOf(transposed(vectors, m));

  /** Squared norms of the rows of U^T V. */
  const along = (at: number) => {
    kernels.gemm(directions, at, mixed, m, m, d, work);
    const rows = arena.view(mixed, m * d);
    return values.map((_, j) =>
      rows.subarray(j * d, (j + 1) * d).reduce((sum, value) => sum + value * value, 0),
    );
  };

  const certify = (): { objective: number; certificate: Certificate } => {
    const evaluate = () => {
      tasks.gradients(weights, intercepts, gradient, interceptGradient, losses);
    };
    evaluate();
    const interceptResidual =
      intercepts === 0 ? 0 : polishIntercepts(core, m, intercepts, interceptGradient, evaluate);
    const [models, slopes] = [along(weights), along(gradient)];
    const penalty = models.reduce((sum, value, j) => sum + (lambda / 2) * (value / values[j]!), 0);
    const dual = slopes.reduce((sum, value, j) => sum + (value * values[j]!) / (2 * lambda), 0);
    const gap = Math.max(0, penalty + dual + kernels.dot(weights, gradient, m * d));
    const objective = arena.view(losses, m).reduce((sum, loss) => sum + loss, penalty);
    // The loss alone may be 0, and with it the objective: then nothing is above the optimum.
    const value = objective > 0 ? Math.min(1, gap / objective) : 0;
    const met = value <= tolerance;
    const certificate = { kind: "duality-gap", value, tolerance, met, interceptResidual } as const;
    return { objective, certificate };
  };

  let last = certify();
  const history: { round: number; objective: number; gap: number }[] = [];
  const pauseIfDue = timeSlice();
  let rounds = 0;
  const momentum = restartedMomentum();
  while (!last.certificate.met && rounds < maxRounds) {
    hooks.signal?.throwIfAborted();
    rounds++;
    extrapolate(momentum.beta(rounds));
    tasks.gradients(ahead, interceptsAhead, gradient, interceptGradient);
    kernels.axpy(-step, gradient, ahead, m * d);
    kernels.gemm(mixing, ahead, weights, m, m, d, work);
    if (intercepts !== 0) {
      arena.view(intercepts, m).set(arena.view(interceptsAhead, m));
      kernels.axpy(-step, interceptGradient, intercepts, m);
    }
    if (uphill()) momentum.restart!(rounds);
    if (rounds % EVERY === 0 || rounds === maxRounds) {
      last = certify();
      history.push({ round: rounds, objective: last.objective, gap: last.certificate.value });
      hooks.onRound?.({ round: rounds, rounds: maxRounds });
    }
    const pause = pauseIfDue();
    if (pause) await pause;
  }
  return { weights, intercepts, rounds, history, ...last };

  /** ahead = weights + beta (weights - before); before = weights. */
  function extrapolate(beta: number): void {
    const pairs = [
      [weights, before, ahead, m * d],
      [intercepts, interceptsBefore, interceptsAhead, intercepts === 0 ? 0 : m],
    ] as const;
    for (const [now, earlier, to, length] of pairs) {
      if (length === 0) continue;
      const [current, old] = [arena.view(now, length), arena.view(earlier, length)];
      arena.view(to, length).set(current.map((value, k) => value + beta * (value - old[k]!)));
      old.set(current);
    }
  }

  /** Whether the step went against the momentum: the gradient scheme's test. */
  function uphill(): boolean {
    const [now, old, stepped, slope] = [weights, before, ahead, gradient].map((at) =>
      arena.view(at, m * d),
    );
    let product = 0;
    for (let k = 0; k < m * d; k++) {
      const left = stepped![k]! + step * slope![k]!;
      product += (left - now![k]!) * (now![k]! - old![k]!);
    }
    return product > 0;
  }
}

/** Omega (Omega + c I)^-1, [m, m], symmetric. */
function mixingOf({ values, vectors }: Spectrum, c: number): Float64Array {
  const m = values.length;
  const scaled = vectors.map((entry, at) => {
    const value = values[at % m]!;
    return entry * Math.sqrt(value / (value + c));
  });
  return syrk(transposed(scaled, m), m, m);
}

function transposed(a: Float64Array, m: number): Float64Array {
  return a.map((_, at) => a[(at % m) * m + Math.floor(at / m)]!);
}
