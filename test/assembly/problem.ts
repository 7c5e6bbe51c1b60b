/**
 * Small ragged multi-task problems and the plain-loop definitions that the kernels must meet.
 * @module
 */
import type { Core } from "../../src/core/core.js";
import type { Pointer } from "../../src/core/index.js";
import { placeTaskData } from "../../src/learning/tasks/task-data.js";
import { testStream, wordsOf } from "./builds.js";

export const SQUARED = 0;
export const LOGISTIC = 1;

export interface Problem {
  m: number;
  d: number;
  sizes: number[];
  offsets: number[];
  x: Float64Array;
  y: Float64Array;
  scales: Float64Array;
  weights: Float64Array;
  intercepts: Float64Array;
}

/** Normal features and weights, labels for the loss, scales 1 / n_i; rows have mean `shift`. */
export function problem(
  core: Core,
  {
    sizes,
    d,
    loss,
    seed = 1,
    shift = 0,
  }: {
    sizes: number[];
    d: number;
    loss: number;
    seed?: number;
    shift?: number;
  },
): Problem {
  const m = sizes.length;
  const offsets = [0];
  for (const n of sizes) offsets.push(offsets.at(-1)! + n);
  const total = offsets[m]!;
  const state = testStream(core, seed);
  const draw = (n: number) => {
    const at = core.arena.f64(n);
    core.kernels.randomNormal(state, at, n);
    return core.arena.view(at, n).slice();
  };
  const x = draw(total * d).map((v) => v + shift);
  const noise = draw(total);
  const weights = draw(m * d);
  const intercepts = draw(m);
  const y = Float64Array.from(noise, (e, j) => {
    const i = offsets.findIndex((from, k) => from <= j && j < offsets[k + 1]!);
    const p = intercepts[i]! + dotOf(x, j * d, weights, i * d, d) / Math.sqrt(d) + e;
    return loss === LOGISTIC ? (p > 0 ? 1 : -1) : p;
  });
  const scales = Float64Array.from(sizes, (n) => 1 / n);
  return { m, d, sizes, offsets, x, y, scales, weights, intercepts };
}

export function dotOf(a: Float64Array, i: number, b: Float64Array, j: number, d: number): number {
  let sum = 0;
  for (let k = 0; k < d; k++) sum += a[i + k]! * b[j + k]!;
  return sum;
}

/** The problem's arrays in the kernels' memory, and their record. */
export function load(core: Core, p: Problem, loss = SQUARED, outputs = 1) {
  const { arena } = core;
  const at = {
    x: arena.copyOf(p.x),
    y: arena.copyOf(p.y),
    offsets: wordsOf(core, p.offsets),
    scales: arena.copyOf(p.scales),
  };
  return {
    ...at,
    data: placeTaskData(core, { ...at, m: p.m, d: p.d, loss, outputs }),
    weights: arena.copyOf(p.weights),
    intercepts: arena.copyOf(p.intercepts),
  };
}

export function read(core: Core, at: Pointer, n: number): Float64Array {
  return core.arena.view(at, n).slice();
}

/** loss(p, y), its derivative, by the textbook formulas in a stable form. */
export function lossOf(loss: number, p: number, y: number): [number, number] {
  if (loss === SQUARED) return [(p - y) ** 2 / 2, p - y];
  const t = -y * p;
  return [t > 0 ? t + Math.log1p(Math.exp(-t)) : Math.log1p(Math.exp(t)), -y / (1 + Math.exp(-t))];
}

/** L_i(w, b) with gradient, for one task. */
export function taskLoss(
  p: Problem,
  loss: number,
  i: number,
  w: Float64Array,
  b: number,
): { value: number; gradient: Float64Array; slope: number } {
  const gradient = new Float64Array(p.d);
  let value = 0;
  let slope = 0;
  for (let j = p.offsets[i]!; j < p.offsets[i + 1]!; j++) {
    const [l, s] = lossOf(loss, dotOf(p.x, j * p.d, w, 0, p.d) + b, p.y[j]!);
    value += p.scales[i]! * l;
    slope += p.scales[i]! * s;
    for (let k = 0; k < p.d; k++) gradient[k]! += p.scales[i]! * s * p.x[j * p.d + k]!;
  }
  return { value, gradient, slope };
}

/** The problem without one row. */
export function without(p: Problem, row: number): Problem {
  const i = p.offsets.findIndex((from, k) => from <= row && row < p.offsets[k + 1]!);
  const sizes = p.sizes.map((n, k) => (k === i ? n - 1 : n));
  const keep = (a: Float64Array, width: number) =>
    a.filter((_, k) => Math.floor(k / width) !== row);
  const offsets = p.offsets.map((from, k) => (k > i ? from - 1 : from));
  return { ...p, sizes, offsets, x: keep(p.x, p.d), y: keep(p.y, 1) };
}

/** A symmetric positive definite matrix with the given eigenvalues and random eigenvectors. */
export function withSpectrum(core: Core, values: number[], seed: number): Float64Array {
  const d = values.length;
  const at = core.arena.f64(d * d);
  core.kernels.randomNormal(testStream(core, seed), at, d * d);
  const q = read(core, at, d * d);
  for (let i = 0; i < d; i++) {
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < i; j++) {
        const c = dotOf(q, i * d, q, j * d, d);
        for (let k = 0; k < d; k++) q[i * d + k]! -= c * q[j * d + k]!;
      }
    }
    const norm = Math.sqrt(dotOf(q, i * d, q, i * d, d));
    for (let k = 0; k < d; k++) q[i * d + k]! /= norm;
  }
  const out = new Float64Array(d * d);
  for (let a = 0; a < d; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let k = 0; k < d; k++) sum += values[k]! * q[k * d + a]! * q[k * d + b]!;
      out[a * d + b] = out[b * d + a] = sum;
    }
  }
  return out;
}
