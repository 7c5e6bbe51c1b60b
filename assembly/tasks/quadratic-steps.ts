/**
 * Many gradient steps on a quadratic at once. With A = I - eta (H + lambda D), D = I in the entries that lambda
 * pulls on and 0 elsewhere, E steps from w take it to
 *   w - eta S g(w),  S = I + A + ... + A^(E - 1),  g(w) = H w - h + lambda D (w - v),
 * because the error shrinks by A in each. S belongs to the task, so two products with vectors do for any E.
 * S takes log2(E) to 2 log2(E) products of d x d matrices, all polynomials in A: symmetric, and half the work.
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { product, productWorkspace } from "../blas/gemm";
import { mirrorUpper, syrk, syrkWorkspace } from "../blas/symmetric";
import { OVERWRITE } from "../blas/tile";
import { addScaled, scale } from "../blas/vector";
import { LocalRounds, pull } from "./local-rounds-job";

/**
 * job.operators f64[m, d, d] <- -eta_i S_i of every task, by job.forms, etas, lambda, held and steps. Rounding:
 * that of the steps themselves, where eta is small enough for them not to diverge.
 */
export function stepOperators(job: LocalRounds, work: usize): void {
  const d = job.data.d, entries = d * d;
  let form = job.forms, out = job.operators;
  for (let i = 0; i < job.data.m; i++, form = at(form, entries + d), out = at(out, entries)) {
    const eta = load<f64>(at(job.etas, i));
    memory.copy(work, form, (<usize>entries) << 3);
    scale(-eta, work, entries);
    addDiagonal(1.0, work, d, d);
    addDiagonal(-eta * job.lambda, work, d, job.held);
    powerSum(work, job.steps, out, d, at(work, entries));
    scale(-eta, out, entries);
  }
}
export function stepOperatorsWorkspace(d: i32): f64 {
  return 24.0 * <f64>d * <f64>d + max(syrkWorkspace(d, d), productWorkspace(d, d, d));
}

/** sum f64[d, d] <- I + A + ... + A^(count - 1) for symmetric A f64[d, d]: k powers, doubled, and one more where a bit asks. */
function powerSum(a: usize, count: i32, sum: usize, d: i32, work: usize): void {
  const entries = d * d;
  let power = work, other = at(power, entries);
  const rest = at(other, entries);
  memory.fill(sum, 0, (<usize>entries) << 3);
  addDiagonal(1.0, sum, d, d);
  memory.copy(power, a, (<usize>entries) << 3);
  let k = 1;
  for (let bit = 30 - clz(count); bit >= 0; bit--) {
    // Sum and power are those of k terms here.
    if (k > 1) symmetricProduct(sum, power, other, d, rest);
    addScaled(1.0, k > 1 ? other : power, sum, entries);
    k = count >> bit;
    if (k == count && (k & 1) == 0) return;
    syrk(power, other, d, d, rest);
    if (k & 1) addScaled(1.0, other, sum, entries);
    if (k == count) return;
    if (k & 1) {
      symmetricProduct(other, a, power, d, rest);
    } else {
      const last = power;
      power = other;
      other = last;
    }
  }
}

function addDiagonal(value: f64, a: usize, d: i32, count: i32): void {
  for (let j = 0; j < count; j++, a = at(a, d + 1)) store<f64>(a, load<f64>(a) + value);
}

/** out <- A B of symmetric matrices that commute. */
function symmetricProduct(a: usize, b: usize, out: usize, d: i32, work: usize): void {
  product(a, d, 1, b, d, 1, out, d, d, d, d, OVERWRITE, true, work);
  mirrorUpper(out, d);
}

/** All steps of one round of task i, from and into w. */
export function quadraticSteps(job: LocalRounds, i: i32, w: usize, v: usize): void {
  const d = job.data.d;
  const entries = d * d;
  const form = job.forms + ((<usize>i * <usize>(entries + d)) << 3);
  const operator = job.operators + ((<usize>i * <usize>entries) << 3);
  const g = job.work, next = at(g, d);
  combineRows(-1.0, at(form, entries), w, form, g, d, d);
  pull(job, w, v, g);
  combineRows(1.0, w, g, operator, next, d, d);
  memory.copy(w, next, (<usize>d) << 3);
}
