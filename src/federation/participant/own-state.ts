/**
 * The state of a participant that adds noise itself: its process on another machine, with a state of its own, would draw another noise for the
 * same round, and who sees both knows the vector better than was charged.
 *
 * A state has a random name, drawn once and kept before it is said. The curator knows it from the registration and says in the start which one
 * takes part: an honest curator has one of each participant, and the others end before they draw anything.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { Message } from "../protocol/messages/messages.js";
import { REFUSALS } from "../protocol/messages/refusal-reasons.js";
import { drawStateName } from "../protocol/party/state-name.js";
import type { Plan } from "../protocol/plan/plan-form.js";
import type { ParticipantOutput } from "./participant-events.js";

type Refused = Extract<Message, { type: "refused" }>;

const refusal = (reason: Refused["reason"]) =>
  `the curator refused this participant (${reason}): ${REFUSALS[reason]}`;

/** Another state of this participant takes part. */
export class OtherStateError extends OptionError {
  constructor() {
    super(refusal("other-state"));
  }
}

/**
 * The name of this participant's state; undefined where it adds no noise.
 * @param kept that of an earlier process.
 */
export function ownState(
  { options, aggregation }: Plan,
  kept: string | undefined,
  output: ParticipantOutput,
): string | undefined {
  if (options["curator"] !== "untrusted" && aggregation?.kind !== "secure") return undefined;
  const name = kept ?? drawStateName();
  if (kept === undefined) output.keep({ type: "named", name });
  return name;
}

/** @throws OtherStateError if the curator speaks of another state than this participant's. */
export function requireOwnState(own: string | undefined, told: string | undefined): void {
  if (own !== undefined && told !== own) throw new OtherStateError();
}

/**
 * A refusal is the end of who has no part in the run yet; of expelled ones, and of a state that another took the place of, at any time.
 * @throws OptionError if this participant can take no part.
 */
export function heedRefusal(
  { reason, state }: Refused,
  own: { readonly state: string | undefined; readonly enters: boolean; readonly asks: boolean },
): void {
  if (reason === "other-state") {
    // What is said of another machine's state comes here, too.
    if (state !== undefined && state === own.state) throw new OtherStateError();
    return;
  }
  const always = reason === "expelled" || (reason === "other-version" && own.asks);
  if (own.enters || always) throw new OptionError(refusal(reason));
}
