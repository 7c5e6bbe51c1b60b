/**
 * Arithmetic without rounding on matrices of doubles, as whole multiples of a power of two: what a decomposition is judged by where doubles
 * would have rounding of their own.
 * @module
 */

/** x / 2^-1074, for finite x. */
export function units(x: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = (word >> 52n) & 2047n;
  const digits = word & (2n ** 52n - 1n);
  const size = exponent === 0n ? digits : (digits | (2n ** 52n)) << (exponent - 1n);
  return word >> 63n === 0n ? size : -size;
}

/** A matrix, [rows, cols], row-major, in units of 2^-1074 or of its powers. */
export type Exact = readonly bigint[];

export const exact = (a: ArrayLike<number>): Exact => Array.from(a, units);

export const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);

/** A B. */
export function product(a: Exact, b: Exact, rows: number, inner: number, cols: number): Exact {
  return Array.from({ length: rows * cols }, (_, at) => {
    const [i, j] = [Math.floor(at / cols), at % cols];
    let sum = 0n;
    for (let k = 0; k < inner; k++) sum += a[i * inner + k]! * b[k * cols + j]!;
    return sum;
  });
}

export const transpose = (a: Exact, rows: number, cols: number): Exact =>
  Array.from(a, (_, at) => a[(at % rows) * cols + Math.floor(at / rows)]!);

/**
 * How many eigenvalues of a symmetric matrix of order n are below x: the changes of sign of its leading minors, by fraction-free elimination
 * (Jacobi's signature rule; Bareiss 1968). Where a minor is zero, x is moved by less than anything that is asked here.
 */
export function eigenvaluesBelow(a: ArrayLike<number>, n: number, x: number): number {
  const given = exact(a);
  const at = units(x);
  // Small matrices of small integers: the power of two that all have in common is left out.
  const all = [...given, at].filter((value) => value !== 0n);
  const common = all.reduce((least, value) => {
    const zeros = trailingZeros(value);
    return zeros < least ? zeros : least;
  }, 4096n);
  const finer = 40n;
  const scaled = (value: bigint) => (value >> common) << finer;
  for (let moved = 0n; ; moved++) {
    const shift = scaled(at) + moved;
    const changes = signChanges(
      given.map((value, k) => scaled(value) - (k % (n + 1) === 0 ? shift : 0n)),
      n,
    );
    if (changes !== undefined) return changes;
  }
}

function trailingZeros(value: bigint): bigint {
  let zeros = 0n;
  while (value % 2n ** 64n === 0n) [value, zeros] = [value >> 64n, zeros + 64n];
  while (value % 2n === 0n) [value, zeros] = [value >> 1n, zeros + 1n];
  return zeros;
}

function signChanges(a: bigint[], n: number): number | undefined {
  let [before, changes] = [1n, 0];
  for (let k = 0; k < n; k++) {
    const pivot = a[k * (n + 1)]!;
    if (pivot === 0n) return undefined;
    if (pivot < 0n !== before < 0n) changes++;
    for (let i = k + 1; i < n; i++)
      for (let j = k + 1; j < n; j++)
        a[i * n + j] = (a[i * n + j]! * pivot - a[i * n + k]! * a[k * n + j]!) / before;
    before = pivot;
  }
  return changes;
}
