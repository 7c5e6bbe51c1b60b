/**
 * Offers of other plans than the one that was agreed on beforehand. A second curator may be under the run's name and answer first, so such
 * an offer is no answer: the party goes on asking for a while, and ends with an error only where nobody has its plan.
 * @module
 */
import {
  OtherPlanError,
  readOffer,
  type Agreed,
  type Offered,
  type OfferedPlan,
  type PlanMessage,
} from "./agreement.js";
import type { PartyOutput } from "./party-output.js";

/** So long a party that is not patient goes on asking, in units of its first wait: 14 s where that is 2 s. */
const PATIENT_WAITS = 7;

/** What else than the plan agreed on one party was offered. */
export class OtherPlans {
  readonly #party: Offered;
  #last: OtherPlanError | undefined;

  /** @param party who is offered plans. */
  constructor(party: Offered) {
    this.#party = party;
  }

  /**
   * As {@link readOffer}.
   * @returns undefined for another plan than the one agreed on, which is told where it is not the one of the last such offer.
   */
  read<Status, Own>(
    offer: PlanMessage,
    joined: Agreed | undefined,
    output: PartyOutput<Status, Own>,
    ignored: (why: string) => void,
  ): OfferedPlan | undefined {
    try {
      return readOffer(offer, this.#party, joined, output);
    } catch (error) {
      if (!(error instanceof OtherPlanError)) throw error;
      const again = this.#last?.hash === error.hash;
      this.#last = error;
      if (!again) {
        ignored(`${error.message}. Another curator may have that one: still asking for it`);
      }
      return undefined;
    }
  }

  /**
   * To be called when a question for the plan was not answered.
   * @param waits how long it is asked for, in units of the first wait.
   * @throws OtherPlanError if other plans were offered, and that is long enough.
   */
  unanswered(waits: number): void {
    if (this.#last && !this.#party.patient && waits >= PATIENT_WAITS) throw this.#last;
  }
}
