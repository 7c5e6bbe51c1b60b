/**
 * What `join` tells the owner of the data: how the run goes on, what is promised of records, what a new identity is for.
 * @module
 */
import type { ParticipantStatus } from "../../federation/index.js";
import type { RecordGuarantee } from "../../privacy/index.js";
import type { Context } from "../options/command.js";
import type { OpenedIdentity } from "../federated/identity-file.js";
import { partyLine } from "../federated/party-words.js";
import type { Log } from "../federated/run-log.js";
import { shortPromise } from "../words/short.js";

function statusLine(status: ParticipantStatus): string {
  switch (status.kind) {
    case "registered":
      return "registered; waiting for the run to start";
    case "started":
      return `the run goes on with ${status.tasks} tasks, at round ${status.round}`;
    case "uploaded":
      return `uploaded in round ${status.round} of ${status.rounds}`;
    case "received":
      return `received the message of round ${status.round} of ${status.rounds}`;
    case "ahead":
      return (
        `the curator awaits round ${status.round}, but round ${status.received} was received already: its records are an older ` +
        `copy, or lost. Nothing is shared until they are restored`
      );
    case "unanswered":
      return (
        "no word from the curator for a while: it waits for others, is away, or has ended (its command, started again, serves those " +
        "that come later). Waiting on"
      );
    case "rows-not-compared":
      return (
        "whether the rows are those that the run was started with is not known: they were marked by the key that --credentials named " +
        "then. From now on they are held to this key's mark"
      );
    default:
      return partyLine(status);
  }
}

/** Rounds belong to the bar; the rest is told in lines. */
export function watch({ progress }: Context, log: Log): (status: ParticipantStatus) => void {
  return (status) => {
    if (status.kind === "received") progress.update(status.round, status.rounds, "round");
    else if (status.kind !== "uploaded") log(status, statusLine(status));
  };
}

const PARTIES = { curator: "the curator", "own model": "whoever is given your task's model" };

/** What of single records, or persons, is promised. */
export function recordLine(promise: RecordGuarantee): string {
  const { epsilon, delta, sound, unit, against = "curator", noiseSource, colluding } = promise;
  const whose = unit === "person" ? "the rows of each person you have" : "each of your records";
  // Who drew noise shares knows them.
  const others =
    colluding === undefined ? "" : ` together with the curator and up to ${colluding} participants`;
  const claim = `${whose} against ${PARTIES[against]}${others}: (${shortPromise(epsilon)}, ${shortPromise(delta)})-DP`;
  if (!sound) return `${claim}, NOT SOUND`;
  return noiseSource === "secure" ? claim : `NOT PRIVATE: with secure noise ${claim}`;
}

/** The result of making an identity. */
export function madeIdentity(name: string, file: string, { publicKey: identity }: OpenedIdentity) {
  const entry = JSON.stringify({ name, identity });
  const lines = [
    `the identity is in ${file}: keep it to yourself`,
    `for the plan's aggregation.participants: ${entry}`,
    "tell it to whoever writes the plan in a way that its curator cannot change",
  ];
  return { document: { name, identity }, text: lines.join("\n") };
}
