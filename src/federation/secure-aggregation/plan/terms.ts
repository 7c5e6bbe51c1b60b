/**
 * What participants and curator of a secure run compute from the plan alone, each for itself: the grid,
 * the noise of everyone's share and the modulus of every round.
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { OptionError } from "../../../core/index.js";
import type { ReleasePlan } from "../../../learning/round/release-plan.js";
import type { PrivacyEvent } from "../../../privacy/index.js";
import type { ShareMechanism, ShareOptions } from "./mechanism.js";
import { eventSteps } from "../integers/noise.js";
import { modulusBits } from "../integers/numbers.js";
import type { ModulusBits } from "../integers/residues.js";
import type { AggregationGrid } from "../integers/aggregation-grid.js";

/** One round's numbers. */
export interface RoundTerms {
  /** What turns a statistic into integers and back. */
  readonly grid: AggregationGrid;
  /** What the round is charged as. */
  readonly event: PrivacyEvent;
  /** s of every participant's share of noise. */
  readonly steps: number;
  /** Bits of the modulus. */
  readonly bits: ModulusBits;
}

/**
 * The terms of all rounds of a run.
 *
 * @param releases made with mechanisms whose noise comes in shares.
 * @returns for round t, entry t - 1.
 * @throws OptionError for a method that samples tasks.
 */
export function aggregationTerms(releases: ReleasePlan, options: ShareOptions): RoundTerms[] {
  return releases.stages.flatMap(({ events, mechanism, sampling }) => {
    if (sampling.kind !== "all") {
      throw new OptionError('sampling: expected "all" with secure aggregation');
    }
    const { grid } = mechanism as ShareMechanism;
    return events.map((event) => {
      if (event.kind !== "discrete-gaussian") throw new TypeError(`unexpected ${event.kind}`);
      const steps = eventSteps(grid, event);
      const bits = modulusBits(grid, options.parties.participants, steps);
      return { grid, event, steps, bits };
    });
  });
}

/** Digest of all numbers from which follow what a round's integers hide, and of how many there are. */
export function termsDigest({ grid, steps, bits }: RoundTerms): Uint8Array {
  const { statistic, entries, side, step, lattice, rounded } = grid;
  const squared = String(grid.squaredSensitivity);
  const numbers = [statistic, entries, side, step, lattice, rounded, squared, steps, bits];
  return sha256(utf8ToBytes(JSON.stringify(numbers)));
}
