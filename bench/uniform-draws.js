/**
 * Seeded numbers for benches and tests (mulberry32): the same on every host.
 */

/** Whole numbers, uniform from 0 to 2^32 - 1. */
export function integers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

/** Uniform numbers in (0, 1), and normal ones (Box and Muller). */
export function generator(seed) {
  const next = integers(seed);
  const uniform = () => (next() + 0.5) / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** Uniform numbers in [-1, 1). */
export function signed(seed) {
  const next = integers(seed);
  return () => next() / 2 ** 31 - 1;
}

/** Uniform numbers in (0, 1) by a multiplicative congruential sequence (Lehmer); the seed is its first state, from 1 on. */
export function lehmer(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
