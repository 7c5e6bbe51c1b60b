/**
 * What of the messages that arrive a participant heeds: those of its own run, session and plan, in its version of the protocol.
 * @module
 */
import { OptionError } from "../../core/index.js";
import {
  PROTOCOL_VERSION,
  type Envelope,
  type Message,
  type Unreadable,
} from "../protocol/messages.js";

/**
 * Why a message is ignored; undefined if it is heeded.
 * @param asking whether no plan was offered so far: a refusal in another version can only be of that.
 * @throws OptionError if the curator speaks another version.
 */
export function whyIgnored(
  message: Message | Unreadable,
  scope: "own" | "all",
  own: Envelope,
  asking: boolean,
): string | undefined {
  if (message.type !== "unreadable") return whyForeign(message, scope, own);
  const { other, why } = message;
  if (other?.type !== "refused" || !asking) return why;
  throw new OptionError(
    `the curator speaks version ${other.version ?? "?"} of the protocol, this release ${PROTOCOL_VERSION}; ` +
      `install the same release of mp-mtl on both sides`,
    { cause: other },
  );
}

/** Why a message is not for this participant of this run; undefined if it is. */
function whyForeign(
  { run, session, plan, participant, type }: Message,
  scope: "own" | "all",
  own: Envelope,
): string | undefined {
  if (run !== own.run) return "a message of another run";
  if (participant !== (scope === "own" ? own.participant : "")) return "a message for someone else";
  if (scope === "all" && type !== "broadcast" && type !== "here")
    return "a broadcast that should be none";
  if (type === "plan") return undefined;
  // Before a plan was offered any session's curator may say that it is there, or refuse.
  if (own.session === "" && (type === "here" || type === "refused")) return undefined;
  if (own.session === "" || session !== own.session) return "a message of another session";
  return plan === own.plan ? undefined : "a message of another plan";
}
