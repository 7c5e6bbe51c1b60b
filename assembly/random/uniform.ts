/** Uniform draws on the open interval (0, 1). */
import { next64, runEnd, runStart, runTaken } from "./chacha";

const TWO_NEG_53: f64 = 1.1102230246251565e-16;

/**
 * k 2^-53 with k uniform on 1 .. 2^53 - 1: never 0 or 1, so that its logarithm is finite, and
 * symmetric about 1/2. Zero (chance 2^-53) is drawn again.
 */
export function uniform(state: usize): f64 {
  while (true) {
    const k = next64(state) >> 11;
    if (k != 0) return <f64>(<i64>k) * TWO_NEG_53;
  }
}

/** f64[n] at `out` <- independent uniforms; the same as n calls of `uniform`. */
export function randomUniform(state: usize, out: usize, n: u32): void {
  const end = out + ((<usize>n) << 3);
  while (out < end) {
    let at = runStart(state);
    const stop = min(runEnd(state), at + (end - out));
    for (; at < stop; at += 8) {
      const k = load<u64>(at) >> 11;
      if (k == 0) continue;
      store<f64>(out, <f64>(<i64>k) * TWO_NEG_53);
      out += 8;
    }
    runTaken(state, at);
  }
}
