/**
 * Copies of blocks of A and B into the slivers that `tile` reads.
 */

/**
 * Slivers of four rows of A, every entry twice, missing rows zero.
 *
 * a  entry (i, k) at a + i rowStep + k kStep (bytes), rows x depth
 * to 64 depth bytes for every four rows
 */
export function packTwice(
  a: usize,
  rowStep: usize,
  kStep: usize,
  rows: i32,
  depth: i32,
  to: usize,
): void {
  for (let i = 0; i < rows; i += 4) {
    const from = a + <usize>i * rowStep;
    if (rows - i >= 4) sliverTwice(from, rowStep, kStep, depth, to);
    else partTwice(from, rowStep, kStep, rows - i, depth, to);
    to += (<usize>depth) << 6;
  }
}

function storeTwice(to: usize, value: f64): void {
  store<f64>(to, value);
  store<f64>(to, value, 8);
}

function sliverTwice(from: usize, rowStep: usize, kStep: usize, depth: i32, to: usize): void {
  const end = to + ((<usize>depth) << 6);
  const rowStep2 = rowStep << 1;
  const rowStep3 = rowStep2 + rowStep;
  while (to < end) {
    if (ASC_FEATURE_SIMD) {
      v128.store(to, v128.load64_splat(from));
      v128.store(to, v128.load64_splat(from + rowStep), 16);
      v128.store(to, v128.load64_splat(from + rowStep2), 32);
      v128.store(to, v128.load64_splat(from + rowStep3), 48);
    } else {
      storeTwice(to, load<f64>(from));
      storeTwice(to + 16, load<f64>(from + rowStep));
      storeTwice(to + 32, load<f64>(from + rowStep2));
      storeTwice(to + 48, load<f64>(from + rowStep3));
    }
    from += kStep;
    to += 64;
  }
}

function partTwice(
  from: usize,
  rowStep: usize,
  kStep: usize,
  rows: i32,
  depth: i32,
  to: usize,
): void {
  memory.fill(to, 0, (<usize>depth) << 6);
  for (let i = 0; i < rows; i++) {
    let source = from + <usize>i * rowStep;
    const end = to + ((<usize>depth) << 6);
    for (let at = to + ((<usize>i) << 4); at < end; at += 64) {
      storeTwice(at, load<f64>(source));
      source += kStep;
    }
  }
}

/**
 * Slivers of four columns of B, missing columns zero.
 *
 * b  entry (k, j) at b + k kStep + j colStep (bytes), depth x cols
 * to 32 depth bytes for every four columns
 */
export function packOnce(
  b: usize,
  kStep: usize,
  colStep: usize,
  cols: i32,
  depth: i32,
  to: usize,
): void {
  for (let j = 0; j < cols; j += 4) {
    const from = b + <usize>j * colStep;
    if (cols - j < 4) partOnce(from, kStep, colStep, cols - j, depth, to);
    else if (colStep == 8) sliverOfRows(from, kStep, depth, to);
    else sliverOfColumns(from, kStep, colStep, depth, to);
    to += (<usize>depth) << 5;
  }
}

/** The four entries of each k lie side by side. */
function sliverOfRows(from: usize, kStep: usize, depth: i32, to: usize): void {
  for (const end = to + ((<usize>depth) << 5); to < end; to += 32) {
    if (ASC_FEATURE_SIMD) {
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
    } else {
      store<f64>(to, load<f64>(from));
      store<f64>(to, load<f64>(from, 8), 8);
      store<f64>(to, load<f64>(from, 16), 16);
      store<f64>(to, load<f64>(from, 24), 24);
    }
    from += kStep;
  }
}

function sliverOfColumns(from: usize, kStep: usize, colStep: usize, depth: i32, to: usize): void {
  const end = to + ((<usize>depth) << 5);
  const colStep2 = colStep << 1;
  const colStep3 = colStep2 + colStep;
  while (to < end) {
    store<f64>(to, load<f64>(from));
    store<f64>(to, load<f64>(from + colStep), 8);
    store<f64>(to, load<f64>(from + colStep2), 16);
    store<f64>(to, load<f64>(from + colStep3), 24);
    from += kStep;
    to += 32;
  }
}

function partOnce(
  from: usize,
  kStep: usize,
  colStep: usize,
  cols: i32,
  depth: i32,
  to: usize,
): void {
  memory.fill(to, 0, (<usize>depth) << 5);
  for (let j = 0; j < cols; j++) {
    let source = from + <usize>j * colStep;
    const end = to + ((<usize>depth) << 5);
    for (let at = to + ((<usize>j) << 3); at < end; at += 32) {
      store<f64>(at, load<f64>(source));
      source += kStep;
    }
  }
}
