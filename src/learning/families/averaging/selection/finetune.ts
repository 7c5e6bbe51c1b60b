/**
 * Local finetuning after the rounds: every task improves its own model on its own data, held to the
 * shared one. Nothing is shared, so it costs no privacy.
 * @module
 */
import type { Pointer } from "../../../../core/index.js";
import { symmetrizedDivergence } from "../../../models/output-losses.js";
import { backtrack } from "../../../steps/line-search.js";
import { rowsOf, scaleOf, type Batch, type ResidentModel } from "../../../models/resident-model.js";

/**
 * What is added to L_k, with w~ the shared model and strength s:
 * `vanilla` nothing; `mean-regularized` (s/2) ||w - w~||^2; `symmetrized-kl` (s/2) times the mean
 * over the task's rows of KL(p || p~) + KL(p~ || p) between the two models' predictions; `ewc`
 * (s/2) sum_j F_j (w_j - w~_j)^2 with F_j the mean over rows of the squared gradient of the loss at w~
 * (the empirical Fisher information).
 */
export type FinetuneKind = "vanilla" | "mean-regularized" | "symmetrized-kl" | "ewc";

export const FINETUNE_KINDS: readonly FinetuneKind[] = [
  "vanilla",
  "mean-regularized",
  "symmetrized-kl",
  "ewc",
];

/** The `finetune` option. */
export interface FinetuneOptions {
  /** What is added to a task's own loss. */
  readonly kind: FinetuneKind;
  /** Gradient steps, >= 1; default 20. */
  readonly steps: number;
  /** First trial step of every descent, > 0, halved until the objective falls; default 1. */
  readonly stepSize: number;
  /** s >= 0; default 0.1. */
  readonly strength: number;
}

/** What to finetune. */
export interface FinetuneJob {
  readonly model: ResidentModel;
  /** Leading parameters that were shared; the rest are free. */
  readonly shared: number;
  /** w_k of every task, [m, parameters]: the start and the result. */
  readonly models: Pointer;
  /** w~, [parameters]. */
  readonly global: Pointer;
  readonly options: FinetuneOptions;
}

const MOST_HALVINGS = 40;

/** What is added to L_k: returns its value, and adds its gradient. */
type Penalty = (task: number, at: Pointer, gradient: Pointer) => number;

/**
 * Gradient descent with halving on L_k plus the penalty, for every task; stops after each.
 *
 * @see Hu, Wu, Smith (2023), section on local finetuning; Kirkpatrick et al. (2017) for EWC.
 */
export function* finetuning(job: FinetuneJob): Generator<void, void> {
  const { model, options } = job;
  const { core, m } = model.tasks;
  const { arena } = core;
  const size = model.parameters;
  const mark = arena.mark();
  const [gradient, trial] = [arena.f64(size), arena.f64(size)];
  const prepare = penaltyOf(job);
  for (let i = 0; i < m; i++) {
    const penalty = prepare(i);
    const evaluate = (at: Pointer) => {
      const loss = model.valueAndGradient(i, at, gradient);
      return loss + penalty(i, at, gradient);
    };
    descend(core, evaluate, job.models + 8 * i * size, { ...options, gradient, trial, size });
    yield;
  }
  arena.release(mark);
}

function descend(
  { arena, kernels }: ResidentModel["tasks"]["core"],
  evaluate: (at: Pointer) => number,
  own: Pointer,
  work: { steps: number; stepSize: number; gradient: Pointer; trial: Pointer; size: number },
): void {
  const { steps, gradient, trial, size } = work;
  let stepSize = work.stepSize;
  let value = evaluate(own);
  for (let step = 0; step < steps; step++) {
    const squared = kernels.dot(gradient, gradient, size);
    if (!(squared > 0) || !Number.isFinite(squared)) return;
    const direction = arena.view(gradient, size).slice();
    const found = backtrack(
      { value, slope: -squared, step: stepSize, mostHalvings: MOST_HALVINGS },
      (t) => {
        const [from, to] = [arena.view(own, size), arena.view(trial, size)];
        for (let j = 0; j < size; j++) to[j] = from[j]! - t * direction[j]!;
        return evaluate(trial);
      },
    );
    if (!found) return;
    value = found.value;
    arena.view(own, size).set(arena.view(trial, size));
    stepSize = Math.min(2 * found.step, work.stepSize);
  }
}

/** The penalty of every task, made ready when it is that task's turn. */
function penaltyOf({ model, shared, global, options }: FinetuneJob): (task: number) => Penalty {
  const { kind, strength } = options;
  const { arena } = model.tasks.core;
  if (kind === "vanilla" || strength === 0) return () => () => 0;
  if (kind === "symmetrized-kl") return divergence(model, global, strength);
  const weights = new Float64Array(shared).fill(1);
  const quadratic: Penalty = (_task, at, gradient) => {
    const [w, anchor, g] = [
      arena.view(at, shared),
      arena.view(global, shared),
      arena.view(gradient, shared),
    ];
    let value = 0;
    for (let j = 0; j < shared; j++) {
      const apart = w[j]! - anchor[j]!;
      value += weights[j]! * apart * apart;
      g[j]! += strength * weights[j]! * apart;
    }
    return (strength / 2) * value;
  };
  if (kind === "mean-regularized") return () => quadratic;
  const fisher = fisherOf(model, shared, global);
  return (task) => {
    weights.set(fisher(task));
    return quadratic;
  };
}

/** (strength / 2) mean over rows of the symmetrised divergence to the shared model. */
function divergence(
  model: ResidentModel,
  global: Pointer,
  strength: number,
): (task: number) => Penalty {
  const { tasks, outputs, parameters } = model;
  const { arena, kernels } = tasks.core;
  let most = 0;
  for (let i = 0; i < tasks.m; i++) most = Math.max(most, rowsOf(tasks, i).n);
  const [at, slope] = [arena.f64(most * outputs), arena.f64(parameters)];
  return (task) => {
    const { n } = rowsOf(tasks, task);
    model.predict(task, global, at);
    const reference = arena.view(at, n * outputs).slice();
    return (i, w, gradient) => {
      model.predict(i, w, at);
      const value = symmetrizedDivergence(
        tasks.loss,
        arena.view(at, n * outputs),
        reference,
        outputs,
      );
      model.pullback(i, w, at, slope);
      const factor = strength / 2 / n;
      kernels.axpy(factor, slope, gradient, parameters);
      return factor * value;
    };
  };
}

/** Mean over a task's rows of the squared gradient of the loss at the shared model, [shared]. */
function fisherOf(
  model: ResidentModel,
  shared: number,
  global: Pointer,
): (task: number) => Float64Array {
  const { tasks, parameters } = model;
  const { arena } = tasks.core;
  const gradient = arena.f64(parameters);
  const row = arena.bytes(4);
  const batch: Batch = { at: row, count: 1 };
  return (task) => {
    const { from, n } = rowsOf(tasks, task);
    const fisher = new Float64Array(shared);
    const scale = scaleOf(tasks, task) * n; // a batch of one row is scaled by c n
    for (let j = from; j < from + n; j++) {
      arena.words(row, 1)[0] = j;
      model.valueAndGradient(task, global, gradient, batch);
      arena.view(gradient, shared).forEach((g, k) => (fisher[k]! += (g / scale) ** 2 / n));
    }
    return fisher;
  };
}
