/**
 * What of the messages that arrive a party heeds: those of its own run, session and plan, in its version of the protocol.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import {
  PROTOCOL_VERSION,
  type Envelope,
  type Message,
  type MessageType,
} from "../messages/messages.js";
import type { Unreadable } from "../messages/message-bytes.js";

/**
 * A message that is heeded; undefined for others.
 * @param asking  whether no plan was offered so far: a refusal in another version can only be of that.
 * @param agreed  hash of the plan agreed on beforehand: before joining, nothing but its plan is heeded of the curator of another one.
 * @param ignored told why a message is not heeded; nothing of what a curator says to those who have joined, which reaches all.
 * @throws OptionError if the curator speaks another version.
 */
export function heeded(
  message: Message | Unreadable,
  scope: "own" | "all",
  own: Envelope,
  { asking, agreed }: { readonly asking: boolean; readonly agreed: string | undefined },
  ignored: (why: string) => void,
): Message | undefined {
  if (message.type !== "unreadable") {
    const why = whyForeign(message, scope, own, agreed);
    if (why !== undefined) ignored(why);
    else if (own.session !== "" || BEFORE_JOINING.includes(message.type)) return message;
    return undefined;
  }
  const { other, why } = message;
  if (other?.type === "refused" && asking) throw otherVersion(other);
  ignored(why);
  return undefined;
}

const otherVersion = (other: NonNullable<Unreadable["other"]>) =>
  new OptionError(
    `the curator speaks version ${other.version ?? "?"} of the protocol, this release ${PROTOCOL_VERSION}; ` +
      `install the same release of mp-mtl on both sides`,
    { cause: other },
  );

/** What a curator may say to all at once. */
const FOR_ALL: readonly MessageType[] = ["broadcast", "here", "aggregate"];

/** What any session's curator may say before a plan was offered: the plan, that it is there, or that it refuses. */
const BEFORE_JOINING: readonly MessageType[] = ["plan", "here", "refused"];

/** Said where a party has a session already: by whoever is the curator in another one. */
const OTHER_SESSION =
  "a message of another session of this run: of a second curator, or of one that was started without its records (--state). " +
  "A run goes on in the session that was joined, and in no other";

const OTHER_PLAN = "a message of another plan";

/** Why a message is not for this party of this run; undefined if it is. */
function whyForeign(
  { run, session, plan, participant, type }: Message,
  scope: "own" | "all",
  own: Envelope,
  agreed: string | undefined,
): string | undefined {
  if (run !== own.run) return "a message of another run";
  if (participant !== (scope === "own" ? own.participant : "")) return "a message for someone else";
  if (scope === "all" && !FOR_ALL.includes(type)) return "a broadcast that should be none";
  if (type === "plan") return undefined;
  if (own.session === "") return plan === (agreed ?? plan) ? undefined : OTHER_PLAN;
  if (session !== own.session) return OTHER_SESSION;
  return plan === own.plan ? undefined : OTHER_PLAN;
}
