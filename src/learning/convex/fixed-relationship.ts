/**
 * min_W sum_i L_i(w_i) + (lambda/2) tr(W Omega^-1 W^T) for a given positive definite Omega, by accelerated proximal gradient steps.
 *
 * With V the models and G the gradients at V the objective is above the optimum by at most g(V) + g*(-G) + <V, G>, by Fenchel's
 * inequality with the slopes taken at V: a bound that does not trust the solver.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import { largest } from "../../core/largest.js";
import type { Eigendecomposition } from "../../linalg/index.js";
import type { Certificate } from "../fitted/certificate.js";
import { restartedMomentum } from "../steps/momentum.js";
import { timeSlice } from "../round/run.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import { evaluatePolished } from "./certificates/intercepts.js";
import { MomentumIterate } from "./momentum-iterate.js";
import { RelationshipPenalty } from "./penalties/fixed-relationship.js";
import type { Check, SolverHooks, SolverLimits, Start } from "./solvers/problem.js";

/** Rounds between two looks at the gap. */
const EVERY = 10;

/** A problem, and how long to work on it. */
interface RelationshipProblem extends SolverLimits, SolverHooks {
  readonly tasks: ResidentTasks;
  readonly relationship: Eigendecomposition;
  readonly lambda: number;
  readonly start: Start;
}

/** Runs until the gap is met or `maxRounds`. The models it gives are in the tasks' memory. */
export async function solveFixedRelationship(problem: RelationshipProblem) {
  const { tasks, relationship, lambda, start, tolerance, maxRounds } = problem;
  const { core, d } = tasks;
  const iterate = new MomentumIterate(tasks, start);
  const losses = core.arena.f64(tasks.m);
  const smoothness = largest(tasks.smoothness(true));
  const step = smoothness > 0 ? 1 / smoothness : 1;
  const penalty = new RelationshipPenalty(core, relationship, { lambda, eta: step, d });
  const momentum = restartedMomentum();
  const history: Check[] = [];
  const pauseIfDue = timeSlice();
  let last = certified(tasks, iterate, penalty, { losses, tolerance });
  let rounds = 0;
  while (!last.certificate.met && rounds < maxRounds) {
    problem.signal?.throwIfAborted();
    rounds++;
    iterate.extrapolate(momentum.beta(rounds));
    iterate.stepAhead(step);
    penalty.proximal(iterate.ahead.weights, iterate.now.weights);
    if (iterate.movedUphill(step)) momentum.restart!(rounds);
    if (rounds % EVERY === 0 || rounds === maxRounds) {
      last = certified(tasks, iterate, penalty, { losses, tolerance });
      iterate.restIntercepts();
      history.push({ round: rounds, objective: last.objective, gap: last.certificate.value });
      problem.onRound?.({ round: rounds, rounds: maxRounds });
    }
    const pause = pauseIfDue();
    if (pause) await pause;
  }
  return { ...iterate.now, rounds, history, ...last };
}

/** The objective with its distance from the optimum, once intercepts are where their slopes vanish. */
function certified(
  tasks: ResidentTasks,
  { now, gradient }: MomentumIterate,
  penalty: RelationshipPenalty,
  { losses, tolerance }: { losses: Pointer; tolerance: number },
): { objective: number; certificate: Certificate } {
  const { m, d, core, intercept } = tasks;
  const interceptResidual = evaluatePolished(tasks, {
    weights: now.weights,
    intercepts: intercept ? now.intercepts : 0,
    gradients: gradient.weights,
    slopes: gradient.intercepts,
    losses,
  });
  const penalized = penalty.at(now.weights);
  const dual = penalty.conjugateAt(gradient.weights);
  const slack = penalized + dual + core.kernels.dot(now.weights, gradient.weights, m * d);
  const objective = core.arena.view(losses, m).reduce((sum, loss) => sum + loss, penalized);
  // The loss alone may be 0, and with it the objective: then nothing is above the optimum. NaN stays uncertified.
  const value = objective === 0 ? 0 : Math.min(1, Math.max(0, slack) / objective);
  const met = value <= tolerance;
  const certificate = { kind: "duality-gap", value, tolerance, met, interceptResidual } as const;
  return { objective, certificate };
}
