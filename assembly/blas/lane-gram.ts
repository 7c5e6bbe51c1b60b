/** Gram matrices of problems of the same shape side by side. */
import { add, entryOf, every, mul } from "./lanes";

/**
 * out[k4, k4] <- A^T A of A[depth, k4] right of the diagonal and in the 4 x 4 blocks on it, k4 a multiple of four. Sums in order.
 */
export function gramLanes<T>(a: usize, out: usize, k4: i32, depth: i32): void {
  for (let i = 0; i < k4; i += 4) {
    for (let j = i; j < k4; j += 2) {
      block<T>(entryOf<T>(a, i), entryOf<T>(a, j), entryOf<T>(out, i * k4 + j), k4, depth);
    }
  }
}

/** Four columns with two. */
function block<T>(a: usize, x: usize, out: usize, k4: i32, depth: i32): void {
  const step = entryOf<T>(0, k4);
  let a0 = every<T>(0.0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
  for (const end = a + <usize>depth * step; a < end; a += step) {
    const p = load<T>(x), q = load<T>(x, sizeof<T>());
    let own = load<T>(a);
    a0 = add<T>(a0, mul<T>(own, p));
    a1 = add<T>(a1, mul<T>(own, q));
    own = load<T>(a, sizeof<T>());
    b0 = add<T>(b0, mul<T>(own, p));
    b1 = add<T>(b1, mul<T>(own, q));
    own = load<T>(a, 2 * sizeof<T>());
    c0 = add<T>(c0, mul<T>(own, p));
    c1 = add<T>(c1, mul<T>(own, q));
    own = load<T>(a, 3 * sizeof<T>());
    d0 = add<T>(d0, mul<T>(own, p));
    d1 = add<T>(d1, mul<T>(own, q));
    x += step;
  }
  two<T>(out, a0, a1);
  two<T>(out + step, b0, b1);
  two<T>(out + 2 * step, c0, c1);
  two<T>(out + 3 * step, d0, d1);
}

@inline function two<T>(out: usize, x: T, y: T): void {
  store<T>(out, x);
  store<T>(out, y, sizeof<T>());
}
