/**
 * Faults that are planted around a method's halves.
 * @module
 */
import type { Halves } from "../../../src/learning/round/halves.js";

export type Wrap = (halves: Halves) => Halves;

/** Rows that are not clipped: the canary's norm is 20 times the bound. */
export const clipSkipped: Wrap = (halves) => ({
  ...halves,
  participants: (context) => {
    const half = halves.participants(context);
    const { arena } = context.core;
    const stages = half.stages.map((stage) => ({
      m: stage.m,
      uploadLength: stage.uploadLength,
      receive: stage.receive.bind(stage),
      upload: (...of: Parameters<typeof stage.upload>) => {
        const at = stage.upload(...of);
        const values = arena.view(at, stage.m * stage.uploadLength);
        values.forEach((value, k) => (values[k] = 20 * value));
        return at;
      },
    }));
    return { ...half, stages };
  },
});

/** Noise so many times smaller than what the claim needs. */
export const noiseDividedBy =
  (factor: number): Wrap =>
  (halves) => ({
    ...halves,
    releases: (context) => {
      const plan = halves.releases(context);
      const stages = plan.stages.map((stage) => ({
        ...stage,
        budgets: stage.budgets.map((budget) => factor * budget),
      }));
      return { ...plan, stages };
    },
  });

/** Noise of a twentieth of what the ledger is charged for. */
export const noiseTooSmall: Wrap = noiseDividedBy(20);
