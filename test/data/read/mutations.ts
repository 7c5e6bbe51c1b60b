/**
 * Damaged copies of a file.
 * @module
 */
import { integers } from "../../../bench/uniform-draws.js";

/** A stream of numbers that is the same everywhere. */
export function numbersFrom(seed: number): (below: number) => number {
  const next = integers(seed);
  return (below) => next() % below;
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
