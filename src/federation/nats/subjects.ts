/**
 * The subjects of a run, and which names may stand in them.
 *
 * A server's permissions (`deploy/nats`) bind each subject to one key, so the name in the subject of
 * a message is its authenticated sender.
 * @module
 */
import { DataError } from "../../core/errors.js";

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws RangeError unless `name` is one token of a subject: 1 to 64 letters, digits, - and _. */
function checkToken(what: string, name: string): string {
  if (TOKEN.test(name)) return name;
  throw new RangeError(
    `${what}: expected 1 to 64 letters, digits, - and _, got ${JSON.stringify(name)}`,
  );
}

/** Subjects of one run. */
export interface Subjects {
  /** What the curator subscribes: all participants' messages. */
  readonly allIn: string;
  /** From the curator to everyone. */
  readonly all: string;
  /** From a participant to the curator. */
  in(participant: string): string;
  /** From the curator to one participant. */
  out(participant: string): string;
  /** Who sent a message of {@link allIn}. */
  sender(subject: string): string;
  /** From a participant, or another relay, to a relay, which adds up what it gets there. */
  toRelay(relay: string, participant: string): string;
  /** What a relay subscribes: messages to it of its participants and of relays beneath it. */
  allToRelay(relay: string): string;
  /** Who sent a message of {@link allToRelay}. */
  relaySender(subject: string): string;
}

/** @throws RangeError if `run` or, later, a participant's name is no token. */
export function subjectsOf(run: string): Subjects {
  const prefix = `mpmtl.${checkToken("run", run)}`;
  const incoming = `${prefix}.in.`;
  const toRelay = (relay: string) => `${prefix}.to.${checkToken("relay", relay)}.`;
  return {
    allIn: `${incoming}*`,
    all: `${prefix}.all`,
    in: (participant) => incoming + checkToken("participant", participant),
    out: (participant) => `${prefix}.out.${checkToken("participant", participant)}`,
    sender(subject) {
      if (!subject.startsWith(incoming)) throw new DataError("nats: a message of another subject");
      return subject.slice(incoming.length);
    },
    toRelay: (relay, participant) => toRelay(relay) + checkToken("participant", participant),
    allToRelay: (relay) => `${toRelay(relay)}*`,
    relaySender: (subject) => subject.slice(subject.lastIndexOf(".") + 1),
  };
}
