/** A task's own fit against the posterior written down directly, and its two ways of computing it. */
import { describe, expect, test } from "vitest";
import { alone, sharedHypotheses } from "../../../../src/learning/families/subspace/hypotheses.js";
import { ownFit } from "../../../../src/learning/families/subspace/own-fit.js";
import { NOISE } from "../../../../src/learning/families/subspace/settings.js";
import {
  apply,
  factor,
  invertDefinite,
  multiply,
  transpose,
} from "../../../../src/linalg/small-matrices.js";
import { generator } from "../mixed/tasks.js";

function taskOf(n: number, d: number, seed: number) {
  const normal = generator(seed);
  const x = Float64Array.from({ length: n * d }, normal);
  const y = Float64Array.from({ length: n }, normal);
  return { n, d, x, y, freedom: n };
}

/** A subspace of two directions, and a covariance of trace d. */
function releasedOf(d: number) {
  const basis = new Float64Array(2 * d);
  basis[0] = 0.6;
  basis[1] = 0.8;
  basis[d + 2] = 1;
  const covariance = new Float64Array(d * d);
  for (let j = 0; j < d; j++) covariance[j * d + j] = (2 * (j + 1)) / (d + 1);
  return { subspace: { k: 2, d, basis }, covariance };
}

describe("a task's own fit", () => {
  test.each([
    ["few rows", 4, 7],
    ["many rows", 12, 5],
  ])("%s: the average of posterior means by their evidence", (_, n, d) => {
    const task = taskOf(n, d, 3);
    const { subspace, covariance } = releasedOf(d);
    const hypotheses = sharedHypotheses(subspace, covariance);
    const { model, alone: weight } = ownFit(task, hypotheses);
    const found = hypotheses.flatMap(({ covariance: c, shared }) =>
      NOISE.map((noise) => {
        const xc = multiply(task.x, c, n, d, d);
        const q = multiply(xc, transpose(task.x, n, d), n, d, n);
        for (let r = 0; r < n; r++) q[r * n + r]! += noise;
        const solved = apply(invertDefinite(q, n), task.y, n, n);
        const form = solved.reduce((sum, value, r) => sum + value * task.y[r]!, 0);
        const l = factor(q, n);
        let log = (-n / 2) * Math.log(form);
        for (let r = 0; r < n; r++) log -= Math.log(l[r * n + r]!);
        return { log, shared, mean: apply(transpose(xc, n, d), solved, d, n) };
      }),
    );
    const most = Math.max(...found.map(({ log }) => log));
    const total = found.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
    const expected = new Float64Array(d);
    let own = 0;
    for (const { log, shared, mean } of found) {
      const part = Math.exp(log - most) / total;
      if (!shared) own += part;
      mean.forEach((value, j) => (expected[j]! += part * value));
    }
    expect(weight).toBeCloseTo(own, 6);
    expected.forEach((value, j) => expect(model[j]).toBeCloseTo(value, 5));
  });

  test("features that are 0 throughout change nothing", () => {
    const task = taskOf(6, 4, 5);
    const wide = new Float64Array(6 * 9);
    for (let r = 0; r < 6; r++) wide.set(task.x.subarray(r * 4, (r + 1) * 4), r * 9);
    const [a, b] = [
      ownFit(task, [alone(4)]).model,
      ownFit({ ...task, d: 9, x: wide }, [alone(9)]).model,
    ];
    a.forEach((value, j) => expect(b[j]).toBeCloseTo(value, 8));
    for (let j = 4; j < 9; j++) expect(b[j]).toBe(0);
  });
});
