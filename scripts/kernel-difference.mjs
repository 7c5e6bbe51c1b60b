/**
 * One build of the kernels as its difference from another, which src/core/builds/difference.ts applies: the
 * relaxed build differs from the SIMD one in some 500 bytes, the scalar one in a third of its own.
 */

/** Shortest run of bytes that is worth naming instead of repeating. */
const SHORTEST = 8;

/** Where each run of SHORTEST bytes begins in `bytes`. */
function runsOf(bytes) {
  const found = new Map();
  for (let i = 0; i + SHORTEST <= bytes.length; i++) {
    const key = bytes.toString("latin1", i, i + SHORTEST);
    if (found.has(key)) found.get(key).push(i);
    else found.set(key, [i]);
  }
  return found;
}

function commonLength(a, from, b, at) {
  let n = 0;
  while (from + n < a.length && at + n < b.length && a[from + n] === b[at + n]) n++;
  return n;
}

/**
 * Numbers as LEB128: how many bytes follow and these, then how many to copy and how far that is from where the
 * last copy ended, zigzag; and so on until after the last bytes.
 */
export function differenceFrom(base, target) {
  const runs = runsOf(base);
  const out = [];
  const number = (value) => {
    for (; value > 127; value >>>= 7) out.push((value & 127) | 128);
    out.push(value);
  };
  let ended = 0;
  let written = 0;
  const writeUpTo = (at) => {
    number(at - written);
    out.push(...target.subarray(written, at));
  };
  for (let at = 0; at < target.length;) {
    let [length, from] = [0, 0];
    for (const start of runs.get(target.toString("latin1", at, at + SHORTEST)) ?? []) {
      const n = commonLength(base, start, target, at);
      const nearer = Math.abs(start - ended) < Math.abs(from - ended);
      if (n > length || (n === length && nearer)) [length, from] = [n, start];
    }
    if (length === 0) {
      at++;
      continue;
    }
    writeUpTo(at);
    number(length);
    const distance = from - ended;
    number(distance < 0 ? -2 * distance - 1 : 2 * distance);
    ended = from + length;
    written = at += length;
  }
  writeUpTo(target.length);
  return Buffer.from(out);
}
