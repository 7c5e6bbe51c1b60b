/**
 * The state of a participant that adds noise itself (`protocol/party/state-name.ts`): the registration says its name, and the start which one
 * takes part.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { Message } from "../protocol/messages/messages.js";
import { refusalInWords } from "../protocol/messages/refusal-reasons.js";
import { drawStateName, OtherStateError } from "../protocol/party/state-name.js";
import type { Plan } from "../protocol/plan/plan-form.js";
import type { ParticipantOutput } from "./participant-events.js";

type Refused = Extract<Message, { type: "refused" }>;

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
  if (own !== undefined && told !== own) throw new OtherStateError("participant");
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
    if (state !== undefined && state === own.state) throw new OtherStateError("participant");
    return;
  }
  const always = reason === "expelled" || (reason === "other-version" && own.asks);
  if (own.enters || always) throw new OptionError(refusalInWords("participant", reason));
}
