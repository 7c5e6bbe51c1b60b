/**
 * One participant's integers of every round, its share of the noise in them: drawn once a round, whatever the attempts at its
 * sum, and by whichever of its processes came first.
 * @module
 */
import { DataError, type Core } from "../../../core/index.js";
import { openStream, type RandomOptions, type RandomStream } from "../../../random/index.js";
import { keyOf, streamNumber } from "../../../random/stream-numbers.js";
import type { ReleasePlan } from "../../../learning/round/release-plan.js";
import { noisyIntegers } from "./contribution.js";
import { shareOptionsOf, type PlannedAggregation } from "../plan/planned.js";
import { aggregationTerms, type RoundTerms } from "../plan/terms.js";
import type { Plan } from "../../protocol/plan/plan-form.js";

/** Integers of a round. */
export interface RoundIntegers {
  readonly round: number;
  readonly values: Float64Array;
}

/** Draws integers and forgets them when their round is over. */
export class OwnIntegers {
  readonly #core: Core;
  readonly #terms: readonly RoundTerms[];
  readonly #noise: RandomStream;
  /** What an earlier process drew, and what was drawn here: neither is drawn again. */
  #held: RoundIntegers | undefined;
  readonly #drawnBefore: number;
  #own: RoundIntegers | undefined;
  /** Integers that were drawn here and not yet taken to be held. */
  #drawn: RoundIntegers | undefined;

  /**
   * @param participant whose noise: its own generator's, or of a seed of its own.
   * @param before what an earlier process drew, and the last round of which it did: nothing of these is drawn again.
   */
  constructor(
    core: Core,
    plan: Plan & { readonly aggregation: PlannedAggregation },
    releases: ReleasePlan,
    participant: string,
    before: { readonly integers: RoundIntegers | undefined; readonly drawn: number },
  ) {
    this.#core = core;
    this.#terms = aggregationTerms(releases, shareOptionsOf(plan.aggregation));
    const random = plan.options["random"] as RandomOptions;
    this.#noise = openStream(core, keyOf(random, ` ${participant}`));
    this.#held = before.integers;
    this.#drawnBefore = before.drawn;
  }

  /** Numbers of a round. */
  terms(round: number): RoundTerms {
    return this.#terms[round - 1]!;
  }

  /**
   * A round's integers: those that were held, or drawn now, to be held before anything of them is sent.
   * @param upload what the tasks show in the round.
   * @throws DataError if what an earlier process held is not of this plan, or gone.
   */
  of(round: number, upload: () => Float64Array): Float64Array {
    const terms = this.terms(round);
    if (this.#own?.round === round) return this.#own.values;
    if (this.#held?.round === round) {
      const { values } = this.#held;
      if (values.length === terms.grid.entries) return values;
      throw new DataError("participant store: it holds integers of another plan");
    }
    if (round <= this.#drawnBefore) {
      throw new DataError(
        `participant store: the integers of round ${round} were drawn and are not there any more; noise is drawn once, so nothing ` +
          "more is uploaded. Restore the store as it was last, or tell the curator to go on without this participant",
      );
    }
    this.#noise.select(streamNumber.release(round));
    const values = noisyIntegers(this.#core, this.#noise, terms, upload());
    this.#own = this.#drawn = { round, values };
    return values;
  }

  /** Integers drawn since this was last asked: to be held until the round is over. */
  takeDrawn(): RoundIntegers | undefined {
    const drawn = this.#drawn;
    this.#drawn = undefined;
    return drawn;
  }

  /** Overwrites the integers of this round and those before it. */
  over(round: number): void {
    if (this.#own && this.#own.round <= round) {
      this.#own.values.fill(0);
      this.#own = undefined;
    }
    if (this.#held && this.#held.round <= round) {
      this.#held.values.fill(0);
      this.#held = undefined;
    }
  }

  /** Wipes keys from memory. */
  close(): void {
    this.#noise.close();
  }
}
