/**
 * Rounds of local steps towards a shared model v, task by task:
 *   w <- w - eta_i (grad L_i(w) + lambda (w - v)),
 * where lambda pulls on the leading entries of w only. A task goes through all of its rounds before the
 * next one starts, so that its data stays in the first-level cache. What a round needs is one record, because
 * it is much and mostly the same from call to call.
 */
import { at } from "../address";
import { addScaled, dot } from "../blas/vector";
import { addTaskGradient } from "./gradients";
import { LocalRounds, pull } from "./local-rounds-job";
import { quadraticSteps } from "./quadratic-steps";

/**
 * Takes all rounds. A model that overflows starts again from v. Cost for each task and round: 4 n_i d flops a
 * step by the rows, 4 d^2 for all steps by the operators.
 */
export function localRounds(job: LocalRounds): void {
  const d = job.data.d;
  const stride = (<usize>d) << 3;
  for (let i = 0; i < job.data.m; i++) {
    const w = job.models + <usize>i * stride;
    for (let r = 0; r < job.rounds; r++) {
      if (!takesPart(job, r, i)) continue;
      const v = job.shared + <usize>r * stride;
      if (job.fromShared) memory.copy(w, v, (<usize>job.held) << 3);
      if (job.operators) quadraticSteps(job, i, w, v);
      else for (let step = 0; step < job.steps; step++) stepByRows(job, i, w, v, r + step == 0);
      if (!(dot(w, w, d) < Infinity)) memory.copy(w, v, stride);
    }
  }
}

@inline function takesPart(job: LocalRounds, round: i32, i: i32): bool {
  const entry = <usize>round * <usize>job.data.m + <usize>i;
  return !job.marks || load<u32>(job.marks + (entry << 2)) != 0;
}

/** @param cold as for `addTaskGradient`. */
function stepByRows(job: LocalRounds, i: i32, w: usize, v: usize, cold: bool): void {
  const g = job.work, data = job.data, d = data.d;
  memory.fill(g, 0, (<usize>d) << 3);
  addTaskGradient(data, i, w, g, cold);
  pull(job, w, v, g);
  addScaled(-load<f64>(at(job.etas, i)), g, w, d);
}

/**
 * out f64[m, held] <- what the leading entries of models f64[m, d] have moved by: from the rows of `base`,
 * `step` entries apart (0: from its only row). Rows of tasks not marked in u32[m] (0: all are) become 0, and
 * so do those whose squares overflow: no clip bounds a NaN.
 */
export function taskUpdates(
  models: usize, base: usize, step: i32, marks: usize, out: usize, m: i32, d: i32, held: i32,
): void {
  for (let i = 0; i < m; i++) {
    memory.fill(out, 0, (<usize>held) << 3);
    if (!marks || load<u32>(marks + ((<usize>i) << 2))) {
      addScaled(1.0, models, out, held);
      addScaled(-1.0, base, out, held);
      if (!(dot(out, out, held) < Infinity)) memory.fill(out, 0, (<usize>held) << 3);
    }
    models = at(models, d);
    base = at(base, step);
    out = at(out, held);
  }
}
