/**
 * Polynomials by their values at roots of unity: the number-theoretic transform and its uses.
 * @module
 */
import type { Element, PrimeField } from "./field.js";

/**
 * Values of a polynomial at all n-th roots of unity 1, w, w^2, ...; n, its number of coefficients, is a
 * power of two. In place: `values` holds the coefficients before, lowest degree first.
 */
export function transform(field: PrimeField, values: Element[]): Element[] {
  const n = values.length;
  const log = 31 - Math.clz32(n);
  const roots = field.roots(log);
  const q = field.modulus;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [values[i], values[j]] = [values[j]!, values[i]!];
  }
  for (let half = 1; half < n; half *= 2) {
    const stride = n / (2 * half);
    for (let start = 0; start < n; start += 2 * half) {
      for (let k = 0; k < half; k++) {
        const a = values[start + k]!;
        const b = (values[start + k + half]! * roots[k * stride]!) % q;
        const sum = a + b;
        values[start + k] = sum < q ? sum : sum - q;
        values[start + k + half] = a < b ? a - b + q : a - b;
      }
    }
  }
  return values;
}

/** Coefficients from the values at all roots of unity, the reverse of {@link transform}, in place. */
export function inverseTransform(field: PrimeField, values: Element[]): Element[] {
  const n = values.length;
  transform(field, values);
  // The transform at the inverse roots: the same values in the other order.
  for (let i = 1; i < n - i; i++) [values[i], values[n - i]] = [values[n - i]!, values[i]!];
  const scale = field.invert(BigInt(n));
  for (let i = 0; i < n; i++) values[i] = field.multiply(values[i]!, scale);
  return values;
}

/** A polynomial's value at x. */
export function evaluate(field: PrimeField, coefficients: readonly Element[], x: Element): Element {
  let value = 0n;
  for (let i = coefficients.length - 1; i >= 0; i--) {
    value = (value * x + coefficients[i]!) % field.modulus;
  }
  return value;
}

/**
 * Weights l_k with p(x) = sum_k l_k p(w^k) for every polynomial p of degree below n = 2^log:
 * l_k = (x^n - 1) w^k / (n (x - w^k)).
 *
 * @param x must not be an n-th root of unity.
 */
export function lagrangeWeights(field: PrimeField, log: number, x: Element): Element[] {
  const roots = field.roots(log);
  const n = BigInt(roots.length);
  const scale = field.multiply(field.subtract(field.power(x, n), 1n), field.invert(n));
  const inverses = field.invertAll(roots.map((root) => field.subtract(x, root)));
  return roots.map((root, k) => (((scale * root) % field.modulus) * inverses[k]!) % field.modulus);
}
