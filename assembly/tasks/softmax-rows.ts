/**
 * The two products under the softmax kernels, for one or four consecutive rows x of X f64[., d]:
 * logits Z = X W and gradient G += X^T Q, W and G f64[d, C], Z and Q f64[., C].
 *
 * Four rows share every load of W and G. One text serves both builds: T is v128 or f64, and every
 * logit is summed over the features in order, so both give the same bits.
 */

@inline function take<T>(at: usize): T {
  if (isVector<T>()) return v128.load(at);
  else return load<f64>(at);
}
@inline function put<T>(at: usize, x: T): void {
  if (isVector<T>()) v128.store(at, x);
  else store<f64>(at, x);
}
@inline function splat<T>(at: usize): T {
  if (isVector<T>()) return v128.load64_splat(at);
  else return load<f64>(at);
}
@inline function zero<T>(): T {
  if (isVector<T>()) return f64x2.splat(0);
  else return 0.0;
}
@inline function add<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.add(a, b);
  else return a + b;
}
@inline function mul<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.mul(a, b);
  else return a * b;
}
@inline function width<T>(): i32 {
  return isVector<T>() ? 2 : 1;
}

/** Logits of four rows in 2 T columns. */
function fourByTwo<T>(x: usize, w: usize, z: usize, d: i32, classBytes: usize): void {
  const rowBytes = (<usize>d) << 3;
  const x1 = x + rowBytes, x2 = x1 + rowBytes, x3 = x2 + rowBytes;
  const next = <usize>width<T>() << 3;
  let a0 = zero<T>(), b0 = a0, a1 = a0, b1 = a0, a2 = a0, b2 = a0, a3 = a0, b3 = a0;
  for (let k: usize = 0; k < rowBytes; k += 8, w += classBytes) {
    const u = take<T>(w), v = take<T>(w + next);
    let s = splat<T>(x + k);
    a0 = add<T>(a0, mul<T>(s, u));
    b0 = add<T>(b0, mul<T>(s, v));
    s = splat<T>(x1 + k);
    a1 = add<T>(a1, mul<T>(s, u));
    b1 = add<T>(b1, mul<T>(s, v));
    s = splat<T>(x2 + k);
    a2 = add<T>(a2, mul<T>(s, u));
    b2 = add<T>(b2, mul<T>(s, v));
    s = splat<T>(x3 + k);
    a3 = add<T>(a3, mul<T>(s, u));
    b3 = add<T>(b3, mul<T>(s, v));
  }
  put<T>(z, a0), put<T>(z + next, b0), z += classBytes;
  put<T>(z, a1), put<T>(z + next, b1), z += classBytes;
  put<T>(z, a2), put<T>(z + next, b2), z += classBytes;
  put<T>(z, a3), put<T>(z + next, b3);
}

/** Logits of four rows in T columns. */
function fourByOne<T>(x: usize, w: usize, z: usize, d: i32, classBytes: usize): void {
  const rowBytes = (<usize>d) << 3;
  const x1 = x + rowBytes, x2 = x1 + rowBytes, x3 = x2 + rowBytes;
  let a0 = zero<T>(), a1 = a0, a2 = a0, a3 = a0;
  for (let k: usize = 0; k < rowBytes; k += 8, w += classBytes) {
    const u = take<T>(w);
    a0 = add<T>(a0, mul<T>(splat<T>(x + k), u));
    a1 = add<T>(a1, mul<T>(splat<T>(x1 + k), u));
    a2 = add<T>(a2, mul<T>(splat<T>(x2 + k), u));
    a3 = add<T>(a3, mul<T>(splat<T>(x3 + k), u));
  }
  put<T>(z, a0), z += classBytes;
  put<T>(z, a1), z += classBytes;
  put<T>(z, a2), z += classBytes;
  put<T>(z, a3);
}

/** Logits of one row in T columns. */
function oneByOne<T>(x: usize, w: usize, z: usize, d: i32, classBytes: usize): void {
  let sum = zero<T>();
  for (const end = x + ((<usize>d) << 3); x < end; x += 8, w += classBytes) {
    sum = add<T>(sum, mul<T>(splat<T>(x), take<T>(w)));
  }
  put<T>(z, sum);
}

function fourLogits<T>(x: usize, w: usize, z: usize, d: i32, classes: i32): void {
  const bytes = (<usize>classes) << 3;
  const lanes = width<T>();
  let c = 0;
  for (; c + 2 * lanes <= classes; c += 2 * lanes) {
    fourByTwo<T>(x, w + ((<usize>c) << 3), z + ((<usize>c) << 3), d, bytes);
  }
  for (; c + lanes <= classes; c += lanes) {
    fourByOne<T>(x, w + ((<usize>c) << 3), z + ((<usize>c) << 3), d, bytes);
  }
  if (c < classes) fourByOne<f64>(x, w + ((<usize>c) << 3), z + ((<usize>c) << 3), d, bytes);
}

function oneLogits<T>(x: usize, w: usize, z: usize, d: i32, classes: i32): void {
  const bytes = (<usize>classes) << 3;
  const lanes = width<T>();
  let c = 0;
  for (; c + lanes <= classes; c += lanes) {
    oneByOne<T>(x, w + ((<usize>c) << 3), z + ((<usize>c) << 3), d, bytes);
  }
  if (c < classes) oneByOne<f64>(x, w + ((<usize>c) << 3), z + ((<usize>c) << 3), d, bytes);
}

/** Z f64[rows, C] <- X W for `rows` = 4 or fewer. */
export function logits(x: usize, rows: i32, w: usize, z: usize, d: i32, classes: i32): void {
  if (rows == 4) {
    if (ASC_FEATURE_SIMD) fourLogits<v128>(x, w, z, d, classes);
    else fourLogits<f64>(x, w, z, d, classes);
    return;
  }
  for (let r = 0; r < rows; r++) {
    const row = x + ((<usize>r * <usize>d) << 3), out = z + ((<usize>r * <usize>classes) << 3);
    if (ASC_FEATURE_SIMD) oneLogits<v128>(row, w, out, d, classes);
    else oneLogits<f64>(row, w, out, d, classes);
  }
}

/** G += X^T Q for four rows in T columns. */
function updateFour<T>(x: usize, q: usize, g: usize, d: i32, classBytes: usize): void {
  const rowBytes = (<usize>d) << 3;
  const x1 = x + rowBytes, x2 = x1 + rowBytes, x3 = x2 + rowBytes;
  const q0 = take<T>(q), q1 = take<T>(q + classBytes);
  const q2 = take<T>(q + 2 * classBytes), q3 = take<T>(q + 3 * classBytes);
  for (let k: usize = 0; k < rowBytes; k += 8, g += classBytes) {
    const left = add<T>(mul<T>(splat<T>(x + k), q0), mul<T>(splat<T>(x1 + k), q1));
    const right = add<T>(mul<T>(splat<T>(x2 + k), q2), mul<T>(splat<T>(x3 + k), q3));
    put<T>(g, add<T>(take<T>(g), add<T>(left, right)));
  }
}

/** G += x^T q for one row in T columns. */
function updateOne<T>(x: usize, q: usize, g: usize, d: i32, classBytes: usize): void {
  const slope = take<T>(q);
  for (const end = x + ((<usize>d) << 3); x < end; x += 8, g += classBytes) {
    put<T>(g, add<T>(take<T>(g), mul<T>(splat<T>(x), slope)));
  }
}

function updateColumns<T>(x: usize, rows: i32, q: usize, g: usize, d: i32, classBytes: usize): void {
  if (rows == 4) {
    updateFour<T>(x, q, g, d, classBytes);
    return;
  }
  for (let r = 0; r < rows; r++) {
    updateOne<T>(x + ((<usize>r * <usize>d) << 3), q + <usize>r * classBytes, g, d, classBytes);
  }
}

/** G f64[d, C] += X^T Q, Q f64[rows, C], for `rows` = 4 or fewer. */
export function addOuters(x: usize, rows: i32, q: usize, g: usize, d: i32, classes: i32): void {
  const bytes = (<usize>classes) << 3;
  let c: usize = 0;
  if (ASC_FEATURE_SIMD) {
    for (; c + 16 <= bytes; c += 16) updateColumns<v128>(x, rows, q + c, g + c, d, bytes);
  }
  for (; c < bytes; c += 8) updateColumns<f64>(x, rows, q + c, g + c, d, bytes);
}
