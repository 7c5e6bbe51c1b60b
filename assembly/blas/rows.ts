/**
 * Products of a block of rows with a vector. Lengths are multiples of four: callers pad with zeros.
 */

/**
 * y[n] += sum_r coefficients[r] row_r, rows `step` bytes apart, n a multiple of 4.
 * Each y[j] is summed over r in order, the same in both builds.
 */
export function addRows(
  rows: usize,
  step: usize,
  count: i32,
  coefficients: usize,
  y: usize,
  n: i32,
): void {
  const end = coefficients + ((<usize>count) << 3);
  const last = y + ((<usize>n) << 3);
  while (y + 64 <= last) {
    addRows8(rows, step, coefficients, end, y);
    rows += 64;
    y += 64;
  }
  if (y < last) addRows4(rows, step, coefficients, end, y);
}

function addRows8(row: usize, step: usize, coefficient: usize, end: usize, y: usize): void {
  if (ASC_FEATURE_SIMD) {
    let y0 = v128.load(y);
    let y1 = v128.load(y, 16);
    let y2 = v128.load(y, 32);
    let y3 = v128.load(y, 48);
    while (coefficient < end) {
      const x = v128.load64_splat(coefficient);
      y0 = f64x2.add(y0, f64x2.mul(x, v128.load(row)));
      y1 = f64x2.add(y1, f64x2.mul(x, v128.load(row, 16)));
      y2 = f64x2.add(y2, f64x2.mul(x, v128.load(row, 32)));
      y3 = f64x2.add(y3, f64x2.mul(x, v128.load(row, 48)));
      coefficient += 8;
      row += step;
    }
    v128.store(y, y0);
    v128.store(y, y1, 16);
    v128.store(y, y2, 32);
    v128.store(y, y3, 48);
  } else {
    addRows4(row, step, coefficient, end, y);
    addRows4(row + 32, step, coefficient, end, y + 32);
  }
}

function addRows4(row: usize, step: usize, coefficient: usize, end: usize, y: usize): void {
  if (ASC_FEATURE_SIMD) {
    let y0 = v128.load(y);
    let y1 = v128.load(y, 16);
    while (coefficient < end) {
      const x = v128.load64_splat(coefficient);
      y0 = f64x2.add(y0, f64x2.mul(x, v128.load(row)));
      y1 = f64x2.add(y1, f64x2.mul(x, v128.load(row, 16)));
      coefficient += 8;
      row += step;
    }
    v128.store(y, y0);
    v128.store(y, y1, 16);
  } else {
    let y0 = load<f64>(y);
    let y1 = load<f64>(y, 8);
    let y2 = load<f64>(y, 16);
    let y3 = load<f64>(y, 24);
    while (coefficient < end) {
      const x = load<f64>(coefficient);
      y0 += x * load<f64>(row);
      y1 += x * load<f64>(row, 8);
      y2 += x * load<f64>(row, 16);
      y3 += x * load<f64>(row, 24);
      coefficient += 8;
      row += step;
    }
    store<f64>(y, y0);
    store<f64>(y, y1, 8);
    store<f64>(y, y2, 16);
    store<f64>(y, y3, 24);
  }
}

/**
 * out[r] = factor row_r . x for `count` rows `step` bytes apart, n a multiple of 4.
 * Each sum runs in two lanes (even and odd entries), then the lanes are added.
 */
export function rowsTimes(
  rows: usize,
  step: usize,
  count: i32,
  x: usize,
  n: i32,
  factor: f64,
  out: usize,
): void {
  const end = x + ((<usize>n) << 3);
  let r = 0;
  for (; r + 4 <= count; r += 4) {
    rows4Times(rows, step, x, end, factor, out);
    rows += step << 2;
    out += 32;
  }
  for (; r < count; r++) {
    store<f64>(out, factor * rowTimes(rows, x, end));
    rows += step;
    out += 8;
  }
}

function rows4Times(row: usize, step: usize, x: usize, end: usize, factor: f64, out: usize): void {
  if (ASC_FEATURE_SIMD) {
    let r1 = row + step;
    let r2 = r1 + step;
    let r3 = r2 + step;
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    while (x < end) {
      const v = v128.load(x);
      s0 = f64x2.add(s0, f64x2.mul(v, v128.load(row)));
      s1 = f64x2.add(s1, f64x2.mul(v, v128.load(r1)));
      s2 = f64x2.add(s2, f64x2.mul(v, v128.load(r2)));
      s3 = f64x2.add(s3, f64x2.mul(v, v128.load(r3)));
      x += 16;
      row += 16;
      r1 += 16;
      r2 += 16;
      r3 += 16;
    }
    const f = f64x2.splat(factor);
    v128.store(out, f64x2.mul(f, addPairs(s0, s1)));
    v128.store(out, f64x2.mul(f, addPairs(s2, s3)), 16);
  } else {
    for (let r: usize = 0; r < 32; r += 8) {
      store<f64>(out + r, factor * rowTimes(row, x, end));
      row += step;
    }
  }
}

/** (a0 + a1, b0 + b1). */
function addPairs(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}

function rowTimes(row: usize, x: usize, end: usize): f64 {
  if (ASC_FEATURE_SIMD) {
    let s = f64x2.splat(0);
    while (x < end) {
      s = f64x2.add(s, f64x2.mul(v128.load(x), v128.load(row)));
      x += 16;
      row += 16;
    }
    return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  }
  let s0: f64 = 0;
  let s1: f64 = 0;
  while (x < end) {
    s0 += load<f64>(x) * load<f64>(row);
    s1 += load<f64>(x, 8) * load<f64>(row, 8);
    x += 16;
    row += 16;
  }
  return s0 + s1;
}

/**
 * y[n] += A x for symmetric A of which the upper triangle is read, in bands of four rows: each
 * entry is loaded once and serves both its own row and, mirrored, its column. Rows and columns
 * are padded to multiples of four with zeros, and the 4 x 4 blocks on the diagonal are whole.
 */
export function addSymmetricTimes(a: usize, step: usize, x: usize, y: usize, n: i32): void {
  for (; n > 0; n -= 4) {
    band(a, step, x, y, n);
    a += (step << 2) + 32;
    x += 32;
    y += 32;
  }
}

function band(a: usize, step: usize, x: usize, y: usize, n: i32): void {
  const end = x + ((<usize>n) << 3);
  let b = a + step;
  let c = b + step;
  let d = c + step;
  if (ASC_FEATURE_SIMD) {
    const y0 = y;
    const x0 = v128.load64_splat(x);
    const x1 = v128.load64_splat(x, 8);
    const x2 = v128.load64_splat(x, 16);
    const x3 = v128.load64_splat(x, 24);
    let v = v128.load(x);
    let s0 = f64x2.mul(v, v128.load(a));
    let s1 = f64x2.mul(v, v128.load(b));
    let s2 = f64x2.mul(v, v128.load(c));
    let s3 = f64x2.mul(v, v128.load(d));
    v = v128.load(x, 16);
    s0 = f64x2.add(s0, f64x2.mul(v, v128.load(a, 16)));
    s1 = f64x2.add(s1, f64x2.mul(v, v128.load(b, 16)));
    s2 = f64x2.add(s2, f64x2.mul(v, v128.load(c, 16)));
    s3 = f64x2.add(s3, f64x2.mul(v, v128.load(d, 16)));
    x += 32;
    y += 32;
    while (x < end) {
      a += 32;
      b += 32;
      c += 32;
      d += 32;
      v = v128.load(x);
      let w = v128.load(y);
      let p = v128.load(a);
      s0 = f64x2.add(s0, f64x2.mul(v, p));
      w = f64x2.add(w, f64x2.mul(x0, p));
      p = v128.load(b);
      s1 = f64x2.add(s1, f64x2.mul(v, p));
      w = f64x2.add(w, f64x2.mul(x1, p));
      p = v128.load(c);
      s2 = f64x2.add(s2, f64x2.mul(v, p));
      w = f64x2.add(w, f64x2.mul(x2, p));
      p = v128.load(d);
      s3 = f64x2.add(s3, f64x2.mul(v, p));
      w = f64x2.add(w, f64x2.mul(x3, p));
      v128.store(y, w);
      v = v128.load(x, 16);
      w = v128.load(y, 16);
      p = v128.load(a, 16);
      s0 = f64x2.add(s0, f64x2.mul(v, p));
      w = f64x2.add(w, f64x2.mul(x0, p));
      p = v128.load(b, 16);
      s1 = f64x2.add(s1, f64x2.mul(v, p));
      w = f64x2.add(w, f64x2.mul(x1, p));
      p = v128.load(c, 16);
      s2 = f64x2.add(s2, f64x2.mul(v, p));
      w = f64x2.add(w, f64x2.mul(x2, p));
      p = v128.load(d, 16);
      s3 = f64x2.add(s3, f64x2.mul(v, p));
      w = f64x2.add(w, f64x2.mul(x3, p));
      v128.store(y, w, 16);
      x += 32;
      y += 32;
    }
    v128.store(y0, f64x2.add(v128.load(y0), addPairs(s0, s1)));
    v128.store(y0, f64x2.add(v128.load(y0, 16), addPairs(s2, s3)), 16);
  } else {
    const x0 = load<f64>(x);
    const x1 = load<f64>(x, 8);
    const x2 = load<f64>(x, 16);
    const x3 = load<f64>(x, 24);
    const sum0 = rowTimes(a, x, end);
    const sum1 = rowTimes(b, x, end);
    const sum2 = rowTimes(c, x, end);
    const sum3 = rowTimes(d, x, end);
    store<f64>(y, load<f64>(y) + sum0);
    store<f64>(y, load<f64>(y, 8) + sum1, 8);
    store<f64>(y, load<f64>(y, 16) + sum2, 16);
    store<f64>(y, load<f64>(y, 24) + sum3, 24);
    x += 32;
    y += 32;
    while (x < end) {
      a += 32;
      b += 32;
      c += 32;
      d += 32;
      for (let i: usize = 0; i < 32; i += 8) {
        const w = load<f64>(y + i) + x0 * load<f64>(a + i) + x1 * load<f64>(b + i);
        store<f64>(y + i, w + x2 * load<f64>(c + i) + x3 * load<f64>(d + i));
      }
      x += 32;
      y += 32;
    }
  }
}
