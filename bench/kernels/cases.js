/**
 * The kernels and sizes that are timed, and their input.
 *
 * @module
 */
import { gemm, svd } from "../../build/modules/linalg.js";

const SHAPES = [
  [30, 320],
  [320, 30],
  [300, 1000],
  [1000, 1000],
];
const SIZES = {
  eigh: [[10], [30], [100], [300], [1000]],
  svd: SHAPES,
  // Singular values falling geometrically from 1 to the number.
  "svd 1e-3": SHAPES,
  "svd 1e-8": SHAPES,
  "svd 1e-14": SHAPES,
  gemm: [
    [30, 30, 320],
    [100, 100, 300],
    [300, 300, 1000],
    [1000, 1000, 1000],
  ],
  syrk: [
    [320, 30],
    [300, 100],
    [1000, 300],
    [1000, 1000],
  ],
  cholesky: [[30], [100], [300], [1000]],
  wishart: [[30], [100], [300], [1000]],
  "gradients squared": [
    [320, 30, 30],
    [1000, 50, 300],
  ],
  "gradients logistic": [
    [320, 30, 30],
    [1000, 50, 300],
  ],
  // m tasks of k rows, n features, classes.
  "gradients softmax": [
    [320, 30, 30, 2],
    [320, 30, 30, 3],
    [320, 30, 30, 10],
  ],
};

/** All cases, or those whose kernel matches `only`; `quick` leaves out the large sizes. */
export function cases({ quick, only }) {
  return Object.entries(SIZES)
    .filter(([kernel]) => new RegExp(only).test(kernel))
    .flatMap(([kernel, shapes]) => shapes.map((shape) => ({ kernel, shape })))
    .filter(({ shape }) => !quick || Math.max(...shape) <= 320);
}

/** Fixed numbers in [-1, 1): a Weyl sequence scrambled by its own square. */
export function numbers(n) {
  return Float64Array.from({ length: n }, (_, i) => {
    const x = (i + 1) * 0.6180339887498949;
    const y = (x - Math.floor(x)) * 1e4;
    return 2 * (y * y - Math.floor(y * y)) - 1;
  });
}

function symmetric(n) {
  const a = numbers(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
  return a;
}

function positiveDefinite(n) {
  const a = symmetric(n);
  for (let i = 0; i < n; i++) a[i * n + i] += n;
  return a;
}

/** U diag(geometric) V^T, U and V those of a matrix of `numbers`. */
function illConditioned(rows, cols, last) {
  const r = Math.min(rows, cols);
  const { u, v } = svd(numbers(rows * cols), rows, cols);
  const scaled = u.map((x, at) => x * last ** ((at % r) / (r - 1)));
  const transposed = Float64Array.from({ length: r * cols }, (_, at) => {
    return v[(at % cols) * r + Math.floor(at / cols)];
  });
  return gemm(scaled, transposed, rows, r, cols);
}

/** Input of a case: matrices with their shapes. For gradients m tasks of k rows, n features. */
export function inputs({ kernel, shape: [m, k, n, classes = 1] }) {
  if (kernel === "wishart") return [];
  if (kernel.startsWith("gradients")) {
    return [
      { data: numbers(m * k * n), shape: [m * k, n] },
      { data: numbers(m * n * classes), shape: [m, n * classes] },
    ];
  }
  if (kernel === "eigh") return [{ data: symmetric(m), shape: [m, m] }];
  if (kernel === "cholesky") return [{ data: positiveDefinite(m), shape: [m, m] }];
  if (kernel.startsWith("svd ")) {
    return [{ data: illConditioned(m, k, Number(kernel.slice(4))), shape: [m, k] }];
  }
  if (kernel !== "gemm") return [{ data: numbers(m * k), shape: [m, k] }];
  return [
    { data: numbers(m * k), shape: [m, k] },
    { data: numbers(k * n), shape: [k, n] },
  ];
}

/** Floating-point operations of the products, where the count is a matter of definition. */
export function flops({ kernel, shape: [m, k, n] }) {
  if (kernel === "gemm") return 2 * m * k * n;
  if (kernel === "syrk") return m * k * (k + 1);
  if (kernel === "gradients squared") return 4 * m * k * n;
  return kernel === "cholesky" ? m ** 3 / 3 : undefined;
}
