/**
 * What participants and curator of a secure run compute from the plan alone, each for itself: the grid,
 * the noise of everyone's share and the modulus of every round.
 * @module
 */
import { openCore, OptionError } from "../../core/index.js";
import type { Halves, PublicSizes } from "../../learning/round/halves.js";
import type { PrivacyEvent } from "../../privacy/index.js";
import { shareMechanisms, type ShareMechanism, type ShareOptions } from "./mechanism.js";
import { eventSteps } from "./noise.js";
import { modulusBits, type AggregationGrid } from "./numbers.js";
import type { ModulusBits } from "./residues.js";

/** One round's numbers. */
export interface RoundTerms {
  readonly grid: AggregationGrid;
  /** What the round is charged as. */
  readonly event: PrivacyEvent;
  /** s of every participant's share of noise. */
  readonly steps: number;
  readonly bits: ModulusBits;
}

/**
 * The terms of all rounds of a method.
 *
 * @param halves  of the plan's estimator; its curator's half is made and thrown away.
 * @param outputs numbers predicted per row, as the curator's half takes it.
 * @returns for round t, entry t - 1.
 * @throws OptionError for a method that cannot run on sums; RangeError or BudgetExceededError if the
 *   budget allows no noise.
 */
export function aggregationTerms(
  halves: Halves,
  { sizes, outputs }: { readonly sizes: PublicSizes; readonly outputs: number },
  options: ShareOptions,
): RoundTerms[] {
  const half = halves.curator({
    core: openCore(),
    sizes,
    outputs,
    shares: shareMechanisms(options),
  });
  try {
    const { plan } = half.ledger;
    const terms: RoundTerms[] = [];
    for (const { rounds, mechanism, sample } of half.stages) {
      if (sample) throw new OptionError('sampling: expected "all" with secure aggregation');
      const { grid } = mechanism as ShareMechanism;
      for (let i = 0; i < rounds; i++) {
        const event = plan![terms.length]!;
        if (event.kind !== "discrete-gaussian") throw new TypeError(`unexpected ${event.kind}`);
        const steps = eventSteps(grid, event);
        const bits = modulusBits(grid, options.parties.participants, steps);
        terms.push({ grid, event, steps, bits });
      }
    }
    return terms;
  } finally {
    half.close();
  }
}
