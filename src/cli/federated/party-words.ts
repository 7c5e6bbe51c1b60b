/**
 * What every party but the curator tells of its link and of messages that changed nothing.
 * @module
 */
import type { PartyStatus } from "../../federation/protocol/party/party.js";

/** A status that any of them may have, in words; of `unanswered` those of parties without tasks. */
export function partyLine(status: PartyStatus): string {
  switch (status.kind) {
    case "unanswered":
      return "nobody has answered for a minute: the curator is not there yet, or the run is over and this can be stopped. Waiting on";
    case "ignored":
      return `ignored a message: ${status.why}`;
    case "link":
      return status.state === "up" ? "connected" : "the connection is lost; waiting for it";
  }
}
