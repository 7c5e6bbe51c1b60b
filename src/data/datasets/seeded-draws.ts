/**
 * What all simulations draw by: one random stream of a seed for each purpose, and the names of their tasks.
 * @module
 */
import { withCore } from "../../core/index.js";
import { openStream, type RandomStream } from "../../random/index.js";
import type { Seed } from "../split/shuffle.js";

/** The stream of the models. */
export const MODELS = 0;

/** Runs `draw` on stream number `purpose` of the seed. */
export function withStream<T>(seed: Seed, purpose: number, draw: (stream: RandomStream) => T): T {
  return withCore((core) => draw(openStream(core, { mode: "seeded", seed }, purpose)));
}

/** `task-1`, `task-2`, … */
export function taskNames(m: number): string[] {
  return Array.from({ length: m }, (_, i) => `task-${i + 1}`);
}
