/**
 * Noise of the privacy mechanisms, added in place. Intermediate draws are overwritten before the
 * kernel returns. These are draws in floating point: the laws hold up to rounding, which the plain
 * mode of the mechanisms does not account for (`discrete.ts` is exact).
 */
import { next64 } from "./chacha";
import { randomGamma } from "./gamma";
import { normal, randomNormal } from "./normal";

const SQRT_HALF: f64 = 0.7071067811865476;
const TWO_NEG_53: f64 = 1.1102230246251565e-16;

const CHUNK: u32 = 128;
const chunk: usize = memory.data(1024, 16);

/** v[i] += N(0, sigma^2) for f64[n], independent. */
export function addNormal(state: usize, v: usize, n: u32, sigma: f64): void {
  for (let done: u32 = 0; done < n; ) {
    const take = min(n - done, CHUNK);
    randomNormal(state, chunk, take);
    for (let i: u32 = 0; i < take; i++) {
      const at = v + ((<usize>(done + i)) << 3);
      store<f64>(at, load<f64>(at) + sigma * load<f64>(chunk + ((<usize>i) << 3)));
    }
    done += take;
  }
  memory.fill(chunk, 0, 1024);
}

/** One Laplace(1) draw: sign and magnitude from separate bits of one 64-bit word. */
function laplace(state: usize): f64 {
  while (true) {
    const bits = next64(state);
    const k = bits >> 11;
    if (k == 0) continue;
    const magnitude = -Math.log(<f64>(<i64>k) * TWO_NEG_53);
    return bits & 1 ? -magnitude : magnitude;
  }
}

/** v[i] += Laplace(scale), density exp(-|x| / scale) / (2 scale), for f64[n], independent. */
export function addLaplace(state: usize, v: usize, n: u32, scale: f64): void {
  for (let i: u32 = 0; i < n; i++) {
    const at = v + ((<usize>i) << 3);
    store<f64>(at, load<f64>(at) + scale * laplace(state));
  }
}

/**
 * v += b for f64[n], b with density proportional to exp(-||b||_2 / scale): the norm is
 * Gamma(n, scale), the direction uniform. work f64[n], wiped.
 */
export function addSphericalLaplace(
  state: usize, v: usize, n: u32, scale: f64, work: usize,
): void {
  const length = scale * randomGamma(state, <f64>n);
  let squares = 0.0;
  do {
    randomNormal(state, work, n);
    squares = 0.0;
    for (let i: u32 = 0; i < n; i++) {
      const x = load<f64>(work + ((<usize>i) << 3));
      squares += x * x;
    }
  } while (squares == 0.0);
  const factor = length / Math.sqrt(squares);
  for (let i: u32 = 0; i < n; i++) {
    const shift = (<usize>i) << 3;
    store<f64>(v + shift, load<f64>(v + shift) + factor * load<f64>(work + shift));
  }
  memory.fill(work, 0, (<usize>n) << 3);
}
export function addSphericalLaplaceWorkspace(n: u32): f64 {
  return 8.0 * <f64>n;
}

/**
 * S += sigma (G + G^T) / 2 for f64[d, d], G of independent standard normals: variance sigma^2 on
 * the diagonal, sigma^2 / 2 off it. Only the upper triangle is drawn; S stays exactly symmetric if
 * it was. d (d + 1) / 2 normals.
 */
export function addSymmetricNormal(state: usize, s: usize, d: u32, sigma: f64): void {
  const off = sigma * SQRT_HALF;
  const stride = (<usize>d) << 3;
  for (let i: u32 = 0; i < d; i++) {
    const row = s + <usize>i * stride;
    const column = s + ((<usize>i) << 3);
    const at = row + ((<usize>i) << 3);
    store<f64>(at, load<f64>(at) + sigma * normal(state));
    for (let from = i + 1; from < d; ) {
      const take = min(d - from, CHUNK);
      randomNormal(state, chunk, take);
      for (let k: u32 = 0; k < take; k++) {
        const noise = off * load<f64>(chunk + ((<usize>k) << 3));
        const j = <usize>(from + k);
        const upper = row + (j << 3);
        const lower = column + j * stride;
        store<f64>(upper, load<f64>(upper) + noise);
        store<f64>(lower, load<f64>(lower) + noise);
      }
      from += take;
    }
  }
  memory.fill(chunk, 0, 1024);
}
