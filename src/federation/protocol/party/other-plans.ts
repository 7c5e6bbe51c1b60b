/**
 * Offers of other plans than the one that was agreed on beforehand, or of no session of it. A second curator may be under the run's name and answer first, so such
 * an offer is no answer: the party goes on asking for a while, and ends with an error only where nobody has its plan.
 * @module
 */
import { textHash } from "../plan/plan-hash.js";
import {
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
  #last: { readonly hash: string; readonly error: Error } | undefined;

  /** @param party who is offered plans. */
  constructor(party: Offered) {
    this.#party = party;
  }

  /**
   * As {@link readOffer}.
   * @returns undefined for another plan than the one agreed on, readable or not, and for one without a session; what is wrong with it is told
   *   where it is not the last such offer again.
   */
  read<Status, Own>(
    offer: PlanMessage,
    joined: Agreed | undefined,
    output: PartyOutput<Status, Own>,
    ignored: (why: string) => void,
  ): OfferedPlan | undefined {
    const hash = textHash(offer.text);
    const isOther = this.#isOther(hash, offer.session);
    // Its curator was told, too, if it cannot be read.
    if (isOther && this.#last?.hash === hash) return undefined;
    try {
      return readOffer(offer, this.#party, joined, output);
    } catch (caught) {
      if (!isOther) throw caught;
      const error = caught as Error;
      this.#last = { hash, error };
      ignored(`${error.message}. Another curator may have the plan agreed on: still asking for it`);
      return undefined;
    }
  }

  /** Whether it cannot be the plan agreed on, whatever is wrong with it: also one that cannot be read may be a second curator's. */
  #isOther(hash: string, session: string): boolean {
    const { agreed } = this.#party;
    return agreed !== undefined && (session === "" || hash !== agreed);
  }

  /**
   * To be called when a question for the plan was not answered.
   * @param waits how long it is asked for, in units of the first wait.
   * @throws OptionError, what was wrong with the last one, if other plans were offered, and that is long enough.
   */
  unanswered(waits: number): void {
    if (this.#last && !this.#party.patient && waits >= PATIENT_WAITS) throw this.#last.error;
  }
}
