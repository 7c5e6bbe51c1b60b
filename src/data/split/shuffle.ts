/**
 * Seeded shuffles: the same seed gives the same order on every host.
 * @module
 */
import seedrandom from "seedrandom";
import { kindOf } from "../../core/messages/kind-of.js";

/** Anything a user may call a seed; 1 and "1" are the same seed. */
export type Seed = string | number;

/** Checks a seed's type. The message does not show the seed. */
export function checkSeed(seed: Seed): string {
  if (typeof seed === "number" && Number.isFinite(seed)) return String(seed);
  if (typeof seed === "string" && seed !== "") return seed;
  const found = seed === "" ? "an empty string" : kindOf(seed);
  throw new TypeError(`seed: expected a non-empty string or a finite number, got ${found}`);
}

/**
 * A generator of uniforms on [0, 1) for one seed and one use. `use` says what it is for, so that
 * two uses of one seed do not share numbers.
 */
export function seededUniforms(seed: Seed, ...use: string[]): () => number {
  return seedrandom(JSON.stringify([checkSeed(seed), ...use]));
}

/** A uniform random order of 0..n-1 (Fisher and Yates). */
export function shuffledRows(n: number, uniform: () => number): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(uniform() * (i + 1));
    const kept = order[i]!;
    order[i] = order[j]!;
    order[j] = kept;
  }
  return order;
}
