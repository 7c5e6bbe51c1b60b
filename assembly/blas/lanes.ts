/**
 * Problems of the same shape side by side, in single precision: a number of T holds one of each, v128 of four, f32 of the
 * only one of a build without vectors. Every lane sees the same operations in the same order, so that neither its neighbours nor the
 * build change a bit of it. Arrays are of T: entry i of all problems, then entry i + 1.
 */

/** Problems side by side. */
export const LANES: i32 = ASC_FEATURE_SIMD ? 4 : 1;

/** Where entry i of an array lies. */
@inline export function entryOf<T>(base: usize, i: i32): usize {
  return base + <usize>i * sizeof<T>();
}

/** Writes one problem's number into an entry. */
@inline export function setLane(entry: usize, lane: i32, x: f64): void {
  store<f32>(entry + ((<usize>lane) << 2), <f32>x);
}

@inline export function lane(entry: usize, lane: i32): f64 {
  return <f64>load<f32>(entry + ((<usize>lane) << 2));
}

/** The same number for all. */
@inline export function every<T>(x: f64): T {
  if (isVector<T>()) return <T>f32x4.splat(<f32>x);
  return <T><f32>x;
}

@inline export function add<T>(a: T, b: T): T {
  if (isVector<T>()) return <T>f32x4.add(<v128>a, <v128>b);
  return <T>(a + b);
}

@inline export function sub<T>(a: T, b: T): T {
  if (isVector<T>()) return <T>f32x4.sub(<v128>a, <v128>b);
  return <T>(a - b);
}

@inline export function mul<T>(a: T, b: T): T {
  if (isVector<T>()) return <T>f32x4.mul(<v128>a, <v128>b);
  return <T>(a * b);
}

@inline export function div<T>(a: T, b: T): T {
  if (isVector<T>()) return <T>f32x4.div(<v128>a, <v128>b);
  return <T>(a / b);
}

@inline export function root<T>(a: T): T {
  if (isVector<T>()) return <T>f32x4.sqrt(<v128>a);
  return <T>sqrt<f32>(<f32>a);
}

/** b where a < b, else a: of two numbers that compare, which is one instruction. */
@inline export function larger<T>(a: T, b: T): T {
  if (isVector<T>()) return <T>f32x4.pmax(<v128>a, <v128>b);
  return a < b ? b : a;
}

/** b where b < a, else a. */
@inline export function smaller<T>(a: T, b: T): T {
  if (isVector<T>()) return <T>f32x4.pmin(<v128>a, <v128>b);
  return b < a ? b : a;
}

/** a where x < y, else b. */
@inline export function whereLess<T>(x: T, y: T, a: T, b: T): T {
  if (isVector<T>()) return <T>v128.bitselect(<v128>a, <v128>b, f32x4.lt(<v128>x, <v128>y));
  return x < y ? a : b;
}

/** a . b of n entries, in four sums. */
export function dotLanes<T>(a: usize, b: usize, n: i32): T {
  let s0 = every<T>(0.0), s1 = s0, s2 = s0, s3 = s0;
  for (; n >= 4; n -= 4) {
    s0 = add<T>(s0, mul<T>(load<T>(a), load<T>(b)));
    s1 = add<T>(s1, mul<T>(load<T>(a, sizeof<T>()), load<T>(b, sizeof<T>())));
    s2 = add<T>(s2, mul<T>(load<T>(a, 2 * sizeof<T>()), load<T>(b, 2 * sizeof<T>())));
    s3 = add<T>(s3, mul<T>(load<T>(a, 3 * sizeof<T>()), load<T>(b, 3 * sizeof<T>())));
    a += 4 * sizeof<T>();
    b += 4 * sizeof<T>();
  }
  for (; n > 0; n--) {
    s0 = add<T>(s0, mul<T>(load<T>(a), load<T>(b)));
    a += sizeof<T>();
    b += sizeof<T>();
  }
  return add<T>(add<T>(s0, s1), add<T>(s2, s3));
}

/** y += factor x, of n entries. */
@inline export function addLanes<T>(factor: T, x: usize, y: usize, n: i32): void {
  for (const end = entryOf<T>(x, n); x < end; x += sizeof<T>()) {
    store<T>(y, add<T>(load<T>(y), mul<T>(factor, load<T>(x))));
    y += sizeof<T>();
  }
}
