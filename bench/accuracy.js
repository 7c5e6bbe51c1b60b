/**
 * Measures the backward errors of the decompositions, in units of n 2^-53 (the size that an error
 * bound of standard analysis has), over families of matrices that are known to be hard.
 *
 *   npm run bench:accuracy -- [--build simd|scalar|relaxed]
 *
 * Norms are Frobenius norms, relative to ||A||; products for the check go through `gemm` and add
 * their own rounding, so the figures are upper bounds.
 */
import { parseArgs } from "./parse-args.js";
import { signed as generator } from "./uniform-draws.js";
import { initialize } from "../build/modules/core/index.js";
import { cholesky, eigh, gemm, svd, syrk } from "../build/modules/linalg.js";

const { values: options } = parseArgs({ options: { build: { type: "string", default: "simd" } } });
initialize({ build: options.build });

function symmetric(n, f) {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) a[i * n + j] = a[j * n + i] = f(i, j);
  return a;
}

function random(rows, cols, seed = 1) {
  return Float64Array.from({ length: rows * cols }, generator(seed));
}

function transposed(a, rows, cols) {
  const b = new Float64Array(a.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) b[j * rows + i] = a[i * cols + j];
  return b;
}

/** Frobenius norm without overflow. */
function norm(a) {
  const top = a.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return top && top * Math.sqrt(a.reduce((sum, x) => sum + (x / top) ** 2, 0));
}

/** A random orthogonal n x n matrix. */
function orthogonal(n, seed) {
  const next = generator(seed);
  return eigh(symmetric(n, next), n).vectors;
}

function withSpectrum(n, value) {
  const q = orthogonal(n, 7);
  const scaled = q.map((x, at) => x * value(at % n));
  const a = gemm(scaled, transposed(q, n, n), n, n, n);
  return symmetric(n, (i, j) => (a[i * n + j] + a[j * n + i]) / 2);
}

const families = {
  random: (n) => symmetric(n, generator(n)),
  "discrete Laplacian": (n) => symmetric(n, (i, j) => (i === j ? 2 : j === i + 1 ? -1 : 0)),
  "Wilkinson W+": (n) =>
    symmetric(n, (i, j) => (i === j ? Math.abs(i - (n - 1) / 2) : j === i + 1 ? 1 : 0)),
  "rank 5": (n) => syrk(random(5, n), 5, n),
  "cluster 1 + k 1e-14": (n) => withSpectrum(n, (k) => 1 + k * 1e-14),
  "geometric to 1e-20": (n) => withSpectrum(n, (k) => 10 ** ((-20 * k) / n)),
  "graded 1e-150 to 1e150": (n) => {
    const next = generator(3);
    return symmetric(n, (i, j) => next() * 10 ** ((150 * (i + j)) / (n - 1) - 150));
  },
  "entries near 1e200": (n) => symmetric(n, generator(n)).map((x) => 1e200 * x),
};

function deviationFromIdentity(v, rows, cols) {
  const gram = syrk(v, rows, cols);
  for (let j = 0; j < cols; j++) gram[j * cols + j] -= 1;
  return norm(gram);
}

function eighErrors(a, n) {
  const size = norm(a);
  const scaled = a.map((x) => x / size);
  const { values, vectors } = eigh(a, n);
  const image = gemm(scaled, vectors, n, n, n);
  const residual = image.map((x, at) => x - vectors[at] * (values[at % n] / size));
  return [norm(residual), deviationFromIdentity(vectors, n, n)];
}

function svdErrors(a, n) {
  const size = norm(a);
  const { u, s, v } = svd(a, n, n);
  const product = gemm(
    u.map((x, at) => x * (s[at % n] / size)),
    transposed(v, n, n),
    n,
    n,
    n,
  );
  const residual = product.map((x, at) => x - a[at] / size);
  return [norm(residual), deviationFromIdentity(u, n, n), deviationFromIdentity(v, n, n)];
}

function choleskyErrors(a, n) {
  const l = cholesky(a, n);
  const product = gemm(l, transposed(l, n, n), n, n, n);
  return [norm(product.map((x, at) => x - a[at])) / norm(a)];
}

const sizes = [30, 100, 300];
const show = (errors, n) => errors.map((x) => (x / (n * 2 ** -53)).toFixed(2)).join(" ");
console.log(`units of n 2^-53; ${options.build} build`);
console.log("eigh: residual, orthogonality; svd: residual, orthogonality of U, of V");
console.log("family".padEnd(26) + sizes.map((n) => `n = ${n}`.padEnd(34)).join(""));
for (const [name, make] of Object.entries(families)) {
  const cells = sizes.map((n) => {
    const a = make(n);
    return `${show(eighErrors(a, n), n)} | ${show(svdErrors(a, n), n)}`.padEnd(34);
  });
  console.log(name.padEnd(26) + cells.join(""));
}
const definite = sizes.map((n) => {
  const a = syrk(random(n + 5, n), n + 5, n);
  return show(choleskyErrors(a, n), n).padEnd(34);
});
console.log("cholesky, random".padEnd(26) + definite.join(""));
