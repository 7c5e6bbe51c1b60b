/**
 * What of the messages that arrive a participant heeds: those of its own run, session and plan, in its version of the protocol.
 * @module
 */
import { OptionError } from "../../core/index.js";
import {
  decodeMessage,
  OtherVersionError,
  PROTOCOL_VERSION,
  type Envelope,
  type Message,
} from "../protocol/messages.js";
import { whyForeign } from "./agreement.js";

/**
 * Reads a message.
 * @param asking whether the curator has sent nothing so far: a refusal in another version can only be of that.
 * @returns the message, or why it is ignored.
 * @throws OptionError if the curator speaks another version.
 */
export function readMessage(
  bytes: Uint8Array,
  scope: "own" | "all",
  own: Envelope,
  asking: boolean,
): Message | string {
  let message: Message;
  try {
    message = decodeMessage(bytes);
  } catch (error) {
    if (error instanceof OtherVersionError && error.type === "refused" && asking) {
      throw new OptionError(
        `the curator speaks version ${error.version ?? "?"} of the protocol, this release ${PROTOCOL_VERSION}; ` +
          `install the same release of mp-mtl on both sides`,
        { cause: error },
      );
    }
    return (error as Error).message;
  }
  return whyForeign(message, scope, own) ?? message;
}
