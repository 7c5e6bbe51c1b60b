/** Transposition and column sums of squares. */

/** B[cols,rows] = A[rows,cols]^T, in blocks of 8 x 8 so that both sides stay in cache. */
export function transpose(a: usize, b: usize, rows: i32, cols: i32): void {
  transposeApart(a, b, rows, rows, cols);
}

/** The same with rows of B `ld` entries apart; what lies between them is left as it is. */
export function transposeApart(a: usize, b: usize, ld: i32, rows: i32, cols: i32): void {
  const aStep = (<usize>cols) << 3;
  const bStep = (<usize>ld) << 3;
  for (let i = 0; i < rows; i += 8) {
    const height = min(8, rows - i);
    for (let j = 0; j < cols; j += 8) {
      transposeBlock(
        a + <usize>i * aStep + ((<usize>j) << 3),
        aStep,
        b + <usize>j * bStep + ((<usize>i) << 3),
        bStep,
        height,
        min(8, cols - j),
      );
    }
  }
}

/** B[cols,rows] = A[rows,cols]^T for a few rows and columns, which lie `aStep`, `bStep` bytes apart. */
export function transposeBlock(
  a: usize,
  aStep: usize,
  b: usize,
  bStep: usize,
  rows: i32,
  cols: i32,
): void {
  let j = 0;
  if (ASC_FEATURE_SIMD) {
    for (; j + 2 <= cols; j += 2) {
      transposePair(a + ((<usize>j) << 3), aStep, b + <usize>j * bStep, bStep, rows);
    }
  }
  for (; j < cols; j++) {
    let from = a + ((<usize>j) << 3);
    let to = b + <usize>j * bStep;
    for (const end = to + ((<usize>rows) << 3); to < end; to += 8) {
      store<f64>(to, load<f64>(from));
      from += aStep;
    }
  }
}

/** Two columns of A to two rows of B, in blocks of 2 x 2. */
function transposePair(a: usize, aStep: usize, b: usize, bStep: usize, rows: i32): void {
  const end = b + ((<usize>rows) << 3);
  for (const pairs = end - 15; b < pairs; b += 16) {
    const p = v128.load(a);
    const q = v128.load(a + aStep);
    v128.store(b, v128.shuffle<f64>(p, q, 0, 2));
    v128.store(b + bStep, v128.shuffle<f64>(p, q, 1, 3));
    a += aStep << 1;
  }
  if (b < end) {
    store<f64>(b, load<f64>(a));
    store<f64>(b + bStep, load<f64>(a, 8));
  }
}

/** out[j] = sum_i A[i,j]^2 for A[m,n], summed down each column in order. */
export function columnSquares(a: usize, out: usize, m: i32, n: i32): void {
  const step = (<usize>n) << 3;
  memory.fill(out, 0, step);
  for (let i = 0; i < m; i++) addSquares(a + <usize>i * step, out, n);
}

function addSquares(x: usize, sum: usize, n: i32): void {
  const end = x + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    const body = x + ((<usize>(n & ~1)) << 3);
    while (x < body) {
      const v = v128.load(x);
      v128.store(sum, f64x2.add(v128.load(sum), f64x2.mul(v, v)));
      x += 16;
      sum += 16;
    }
  }
  while (x < end) {
    const v = load<f64>(x);
    store<f64>(sum, load<f64>(sum) + v * v);
    x += 8;
    sum += 8;
  }
}
