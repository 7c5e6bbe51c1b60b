/**
 * Standard normal draws by the ziggurat of Marsaglia and Tsang (2000) with Doornik's (2005)
 * correction: the layer, the sign and the magnitude come from separate bits of one 64-bit word.
 *
 * Layers i = 0 .. 255 have equal area AREA under exp(-x^2/2), right edges x_1 = EDGE > x_2 > ...
 * > x_256 = 0, and x_0 = AREA / f(EDGE), so that layer 0 is the base strip with the tail.
 * Table of 24 bytes a layer: u64 floor(2^53 x_{i+1} / x_i), f64 2^-53 x_i, f64 f(x_i).
 */
import { next64, runEnd, runStart, runTaken } from "./chacha";
import { uniform } from "./uniform";

const LAYERS: i32 = 256;
// Solution of x_256 = 0, computed with 40 digits.
const EDGE: f64 = 3.6541528853610088;
const AREA: f64 = 0.0049286732339746554;
const TWO_53: f64 = 9007199254740992.0;
const SIGN_BIT: u64 = 0x100; // bits 0-7: layer, 8: sign, 11-63: magnitude

const ENTRY: usize = 24;
const table: usize = memory.data(257 * 24, 16);
let tableReady = false;

/** Fills the table; the first draw of an instance calls it. */
function prepare(): void {
  let x = AREA / Math.exp(-0.5 * EDGE * EDGE);
  let next = EDGE;
  for (let i = 0; i < LAYERS; i++) {
    const at = table + <usize>i * ENTRY;
    store<u64>(at, <u64>(TWO_53 * (next / x)));
    store<f64>(at, x / TWO_53, 8);
    const f = i == 0 ? 0.0 : Math.exp(-0.5 * x * x);
    store<f64>(at, f, 16);
    x = next;
    const top = AREA / x + Math.exp(-0.5 * x * x);
    next = i + 2 < LAYERS ? Math.sqrt(-2.0 * Math.log(top)) : 0.0;
  }
  store<f64>(table + <usize>LAYERS * ENTRY, 1.0, 16);
  tableReady = true;
}

@inline function withSign(x: f64, bits: u64): f64 {
  return reinterpret<f64>(reinterpret<u64>(x) | ((bits & SIGN_BIT) << 55));
}

/** Finishes a draw whose magnitude fell outside the rectangle of its layer (1.2 % of them). */
function settle(state: usize, first: u64): f64 {
  let bits = first;
  while (true) {
    const at = table + <usize>(bits & 0xff) * ENTRY;
    const magnitude = bits >> 11;
    const x = <f64>(<i64>magnitude) * load<f64>(at, 8);
    if (magnitude < load<u64>(at)) return withSign(x, bits);
    if ((bits & 0xff) == 0) {
      // Beyond EDGE: Marsaglia's (1964) exact tail by rejection.
      while (true) {
        const a = -Math.log(uniform(state)) / EDGE;
        const b = -Math.log(uniform(state));
        if (b + b > a * a) return withSign(EDGE + a, bits);
      }
    }
    const low = load<f64>(at, 16);
    const height = low + uniform(state) * (load<f64>(at + ENTRY, 16) - low);
    if (height < Math.exp(-0.5 * x * x)) return withSign(x, bits);
    bits = next64(state);
  }
}

/** One standard normal draw. */
export function normal(state: usize): f64 {
  if (!tableReady) prepare();
  return settle(state, next64(state));
}

/** f64[n] at `out` <- independent standard normals; the same as n calls of `normal`. */
export function randomNormal(state: usize, out: usize, n: u32): void {
  if (!tableReady) prepare();
  const end = out + ((<usize>n) << 3);
  while (out < end) {
    let at = runStart(state);
    const stop = min(runEnd(state), at + (end - out));
    let outside = false;
    while (at < stop) {
      const bits = load<u64>(at);
      const entry = table + <usize>(bits & 0xff) * ENTRY;
      const magnitude = bits >> 11;
      at += 8;
      if (magnitude >= load<u64>(entry)) {
        outside = true;
        break;
      }
      store<f64>(out, withSign(<f64>(<i64>magnitude) * load<f64>(entry, 8), bits));
      out += 8;
    }
    runTaken(state, at);
    if (outside) {
      store<f64>(out, settle(state, load<u64>(at - 8)));
      out += 8;
    }
  }
}
