/**
 * The ChaCha20 key stream: the one source of randomness of the kernels.
 *
 * A stream lives at `state`, STATE_BYTES long:
 *   0    u32[16]  input block: 4 constants, 8 key words, 64-bit block counter (words 12, 13),
 *                 64-bit stream number (words 14, 15). With word 13 zero this is RFC 8439 with the
 *                 nonce (0, streamLow, streamHigh); the wider counter lasts 2^70 bytes, not 2^38.
 *   64   u32      index of the next unread word of the buffer, BUFFER_WORDS when it is used up
 *   128  u32[BUFFER_WORDS]  key stream not yet handed out
 *
 * Words are handed out in the order of the key stream. A 64-bit draw takes two words from an even
 * index (an odd one is skipped), low word first. Both builds give the same words.
 */

const POSITION: usize = 64;
const BUFFER: usize = 128;
const BUFFER_WORDS: u32 = 256;
const STATE_BYTES: usize = BUFFER + ((<usize>BUFFER_WORDS) << 2);

/** Bytes of a stream's state. */
export function randomStateBytes(): usize {
  return STATE_BYTES;
}

/** Starts the stream: key u8[32] at `key`, 64-bit stream number in two words, counter 0. */
export function randomInit(state: usize, key: usize, streamLow: u32, streamHigh: u32): void {
  store<u32>(state, 0x61707865); // "expand 32-byte k"
  store<u32>(state, 0x3320646e, 4);
  store<u32>(state, 0x79622d32, 8);
  store<u32>(state, 0x6b206574, 12);
  memory.copy(state + 16, key, 32);
  store<u64>(state, 0, 48);
  store<u32>(state, streamLow, 56);
  store<u32>(state, streamHigh, 60);
  store<u32>(state, BUFFER_WORDS, POSITION);
}

/** Goes to the start of another stream of the same key; what was buffered is wiped. */
export function randomSelect(state: usize, streamLow: u32, streamHigh: u32): void {
  store<u64>(state, 0, 48);
  store<u32>(state, streamLow, 56);
  store<u32>(state, streamHigh, 60);
  store<u32>(state, BUFFER_WORDS, POSITION);
  memory.fill(state + BUFFER, 0, (<usize>BUFFER_WORDS) << 2);
}

// One text serves both builds: T is u32 (one block) or v128 (four blocks, block k in lane k).

@inline function add<T>(a: T, b: T): T {
  if (isVector<T>()) return i32x4.add(a, b);
  else return a + b;
}

@inline function xorRotate<T>(a: T, b: T, left: i32): T {
  if (isVector<T>()) {
    const x = v128.xor(a, b);
    // Whole bytes move by one shuffle.
    if (left == 16) return v128.shuffle<u8>(x, x, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    if (left == 8) return v128.shuffle<u8>(x, x, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14);
    return v128.or(i32x4.shl(x, left), i32x4.shr_u(x, 32 - left));
  } else return rotl<T>(a ^ b, left);
}

@inline function spread<T>(word: u32): T {
  if (isVector<T>()) return i32x4.splat(word);
  else return word;
}

/** Low or high words of the block counters: counter, or counter + (0, 1, 2, 3). */
@inline function counterWords<T>(counter: u64, shift: u64): T {
  if (isVector<T>()) {
    let v = i32x4.splat(<u32>(counter >> shift));
    v = i32x4.replace_lane(v, 1, <u32>((counter + 1) >> shift));
    v = i32x4.replace_lane(v, 2, <u32>((counter + 2) >> shift));
    return i32x4.replace_lane(v, 3, <u32>((counter + 3) >> shift));
  } else return <u32>(counter >> shift);
}

/** Four consecutive words of every block; for vectors a 4 x 4 transpose, blocks 64 bytes apart. */
@inline function storeWords<T>(out: usize, a: T, b: T, c: T, d: T): void {
  if (isVector<T>()) {
    const ab0 = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
    const ab1 = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
    const cd0 = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
    const cd1 = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
    v128.store(out, v128.shuffle<i64>(ab0, cd0, 0, 2));
    v128.store(out, v128.shuffle<i64>(ab0, cd0, 1, 3), 64);
    v128.store(out, v128.shuffle<i64>(ab1, cd1, 0, 2), 128);
    v128.store(out, v128.shuffle<i64>(ab1, cd1, 1, 3), 192);
  } else {
    store<u32>(out, a);
    store<u32>(out, b, 4);
    store<u32>(out, c, 8);
    store<u32>(out, d, 12);
  }
}

/** RFC 8439, section 2.3: one block (or four) at the state's counter, which is not advanced. */
function blocks<T>(state: usize, out: usize): void {
  const counter = load<u64>(state, 48);
  const c0 = load<u32>(state), c1 = load<u32>(state, 4);
  const c2 = load<u32>(state, 8), c3 = load<u32>(state, 12);
  let x0 = spread<T>(c0), x1 = spread<T>(c1), x2 = spread<T>(c2), x3 = spread<T>(c3);
  let x4 = spread<T>(load<u32>(state, 16)), x5 = spread<T>(load<u32>(state, 20));
  let x6 = spread<T>(load<u32>(state, 24)), x7 = spread<T>(load<u32>(state, 28));
  let x8 = spread<T>(load<u32>(state, 32)), x9 = spread<T>(load<u32>(state, 36));
  let x10 = spread<T>(load<u32>(state, 40)), x11 = spread<T>(load<u32>(state, 44));
  let x12 = counterWords<T>(counter, 0), x13 = counterWords<T>(counter, 32);
  let x14 = spread<T>(load<u32>(state, 56)), x15 = spread<T>(load<u32>(state, 60));

  for (let round = 0; round < 10; round++) {
    // Columns: quarter rounds (0,4,8,12) .. (3,7,11,15), step by step across all four.
    x0 = add<T>(x0, x4); x1 = add<T>(x1, x5); x2 = add<T>(x2, x6); x3 = add<T>(x3, x7);
    x12 = xorRotate<T>(x12, x0, 16); x13 = xorRotate<T>(x13, x1, 16);
    x14 = xorRotate<T>(x14, x2, 16); x15 = xorRotate<T>(x15, x3, 16);
    x8 = add<T>(x8, x12); x9 = add<T>(x9, x13); x10 = add<T>(x10, x14); x11 = add<T>(x11, x15);
    x4 = xorRotate<T>(x4, x8, 12); x5 = xorRotate<T>(x5, x9, 12);
    x6 = xorRotate<T>(x6, x10, 12); x7 = xorRotate<T>(x7, x11, 12);
    x0 = add<T>(x0, x4); x1 = add<T>(x1, x5); x2 = add<T>(x2, x6); x3 = add<T>(x3, x7);
    x12 = xorRotate<T>(x12, x0, 8); x13 = xorRotate<T>(x13, x1, 8);
    x14 = xorRotate<T>(x14, x2, 8); x15 = xorRotate<T>(x15, x3, 8);
    x8 = add<T>(x8, x12); x9 = add<T>(x9, x13); x10 = add<T>(x10, x14); x11 = add<T>(x11, x15);
    x4 = xorRotate<T>(x4, x8, 7); x5 = xorRotate<T>(x5, x9, 7);
    x6 = xorRotate<T>(x6, x10, 7); x7 = xorRotate<T>(x7, x11, 7);
    // Diagonals: (0,5,10,15), (1,6,11,12), (2,7,8,13), (3,4,9,14).
    x0 = add<T>(x0, x5); x1 = add<T>(x1, x6); x2 = add<T>(x2, x7); x3 = add<T>(x3, x4);
    x15 = xorRotate<T>(x15, x0, 16); x12 = xorRotate<T>(x12, x1, 16);
    x13 = xorRotate<T>(x13, x2, 16); x14 = xorRotate<T>(x14, x3, 16);
    x10 = add<T>(x10, x15); x11 = add<T>(x11, x12); x8 = add<T>(x8, x13); x9 = add<T>(x9, x14);
    x5 = xorRotate<T>(x5, x10, 12); x6 = xorRotate<T>(x6, x11, 12);
    x7 = xorRotate<T>(x7, x8, 12); x4 = xorRotate<T>(x4, x9, 12);
    x0 = add<T>(x0, x5); x1 = add<T>(x1, x6); x2 = add<T>(x2, x7); x3 = add<T>(x3, x4);
    x15 = xorRotate<T>(x15, x0, 8); x12 = xorRotate<T>(x12, x1, 8);
    x13 = xorRotate<T>(x13, x2, 8); x14 = xorRotate<T>(x14, x3, 8);
    x10 = add<T>(x10, x15); x11 = add<T>(x11, x12); x8 = add<T>(x8, x13); x9 = add<T>(x9, x14);
    x5 = xorRotate<T>(x5, x10, 7); x6 = xorRotate<T>(x6, x11, 7);
    x7 = xorRotate<T>(x7, x8, 7); x4 = xorRotate<T>(x4, x9, 7);
  }

  storeWords<T>(
    out,
    add<T>(x0, spread<T>(c0)), add<T>(x1, spread<T>(c1)),
    add<T>(x2, spread<T>(c2)), add<T>(x3, spread<T>(c3)),
  );
  storeWords<T>(
    out + 16,
    add<T>(x4, spread<T>(load<u32>(state, 16))), add<T>(x5, spread<T>(load<u32>(state, 20))),
    add<T>(x6, spread<T>(load<u32>(state, 24))), add<T>(x7, spread<T>(load<u32>(state, 28))),
  );
  storeWords<T>(
    out + 32,
    add<T>(x8, spread<T>(load<u32>(state, 32))), add<T>(x9, spread<T>(load<u32>(state, 36))),
    add<T>(x10, spread<T>(load<u32>(state, 40))), add<T>(x11, spread<T>(load<u32>(state, 44))),
  );
  storeWords<T>(
    out + 48,
    add<T>(x12, counterWords<T>(counter, 0)), add<T>(x13, counterWords<T>(counter, 32)),
    add<T>(x14, spread<T>(load<u32>(state, 56))), add<T>(x15, spread<T>(load<u32>(state, 60))),
  );
}

/** Fills the buffer with the next BUFFER_WORDS words and starts reading at its beginning. */
function refill(state: usize): void {
  const end = state + STATE_BYTES;
  for (let at = state + BUFFER; at < end; ) {
    if (ASC_FEATURE_SIMD) {
      blocks<v128>(state, at);
      store<u64>(state, load<u64>(state, 48) + 4, 48);
      at += 256;
    } else {
      blocks<u32>(state, at);
      store<u64>(state, load<u64>(state, 48) + 1, 48);
      at += 64;
    }
  }
  store<u32>(state, 0, POSITION);
}

/**
 * A run of unread 64-bit draws: the caller reads u64s from `runStart(state)` up to
 * `runEnd(state)` and says with `runTaken` how far it came. Never empty.
 */
@inline export function runStart(state: usize): usize {
  let position = (load<u32>(state, POSITION) + 1) & ~1;
  if (position >= BUFFER_WORDS) {
    refill(state);
    position = 0;
  }
  return state + BUFFER + ((<usize>position) << 2);
}
@inline export function runEnd(state: usize): usize {
  return state + STATE_BYTES;
}
@inline export function runTaken(state: usize, at: usize): void {
  store<u32>(state, <u32>((at - state - BUFFER) >> 2), POSITION);
}

/** The next 64 random bits. */
@inline export function next64(state: usize): u64 {
  const at = runStart(state);
  runTaken(state, at + 8);
  return load<u64>(at);
}

/** The next 32 random bits. */
@inline export function next32(state: usize): u32 {
  let position = load<u32>(state, POSITION);
  if (position >= BUFFER_WORDS) {
    refill(state);
    position = 0;
  }
  store<u32>(state, position + 1, POSITION);
  return load<u32>(state + BUFFER + ((<usize>position) << 2));
}

/** n raw words of the key stream to u32[n] at `out`, in order. */
export function randomWords(state: usize, out: usize, n: u32): void {
  while (n > 0) {
    let position = load<u32>(state, POSITION);
    if (position >= BUFFER_WORDS) {
      refill(state);
      position = 0;
    }
    const take = min(n, BUFFER_WORDS - position);
    const bytes = (<usize>take) << 2;
    memory.copy(out, state + BUFFER + ((<usize>position) << 2), bytes);
    store<u32>(state, position + take, POSITION);
    out += bytes;
    n -= take;
  }
}
