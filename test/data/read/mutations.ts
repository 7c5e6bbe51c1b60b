/**
 * Damaged copies of a file.
 * @module
 */

/** A stream of numbers that is the same everywhere (mulberry32). */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Flips bits, sets bytes, cuts either end, leaves out, doubles or exchanges a stretch. */
export function mutate(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  let changed = Uint8Array.from(bytes);
  for (let times = 1 + next(3); times > 0; times--) {
    const { length } = changed;
    if (length < 2) return changed;
    const [a, b] = [next(length), next(length)].sort((x, y) => x - y) as [number, number];
    const kind = next(7);
    if (kind === 0) changed[a]! ^= 1 << next(8);
    else if (kind === 1) changed[a] = [0, 1, 0x7f, 0x80, 0xff][next(5)]!;
    else if (kind === 2) changed = changed.slice(0, a);
    else if (kind === 3) changed = changed.slice(Math.min(a, 64));
    else if (kind === 4) changed = Uint8Array.of(...changed.slice(0, a), ...changed.slice(b));
    else if (kind === 5) changed.copyWithin(a, b);
    else for (let i = 0; i < 4; i++) changed[Math.min(length - 1, a + i)] = next(256);
  }
  return changed;
}
