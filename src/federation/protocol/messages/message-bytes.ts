/**
 * Messages as bytes, and the schema to which those that arrive are held.
 * @module
 */
import { object } from "../../../core/checks.js";
import { allFinite } from "../../../core/all-finite.js";
import { DataError } from "../../../core/index.js";
import { decodeFrame, encodeFrame } from "./frame.js";
import { CHECKS, MESSAGE_FIELDS, WITH_BYTES, WITH_VALUES, type Check } from "./message-schema.js";
import {
  PROTOCOL_VERSION,
  type Body,
  type Envelope,
  type Message,
  type MessageType,
} from "./messages.js";
import { isParticipantName } from "./names.js";

/** Encodes a message; vectors travel exactly. */
export function encodeMessage(envelope: Envelope, body: Body): Uint8Array<ArrayBuffer> {
  object("envelope", envelope);
  const { values, bytes, ...fields } = object("body", body) as Body & {
    values?: Float64Array;
    bytes?: Uint8Array;
  };
  const { run, session, plan, participant } = envelope;
  const header = { v: PROTOCOL_VERSION, run, session, plan, participant, ...fields };
  // A broadcast is public. What a participant sends must be of one length whatever is in it.
  return encodeFrame(header, values, bytes, body.type === "broadcast");
}

/** A message of another version of the protocol: who said it, and what kind it says it is. */
export class OtherVersionError extends DataError {
  /** undefined if it names none. */
  readonly version: number | undefined;
  readonly type: unknown;

  constructor(version: unknown, type: unknown) {
    const spoken = CHECKS.whole(version) ? (version as number) : undefined;
    super(
      `message: it is of version ${spoken ?? "?"} of the protocol, this release speaks ${PROTOCOL_VERSION}; it was ` +
        `ignored. Install the same release of mp-mtl on both sides.`,
    );
    this.version = spoken;
    this.type = type;
  }
}

/** Every type of message has its fields. */
const FIELDS: Readonly<Record<MessageType, Readonly<Record<string, Check>>>> = MESSAGE_FIELDS;

/**
 * Decodes a message and holds it to the schema: every field of its type, no other, and finite
 * numbers only.
 * @param from a party packs no vector, so that few of its bytes never become many; default the curator.
 * @throws OtherVersionError for another version; DataError saying what is wrong, never with a value of the message.
 */
export function decodeMessage(bytes: Uint8Array, from: "curator" | "party" = "curator"): Message {
  const { header, values, bytes: plain } = decodeFrame(bytes, undefined, from === "curator");
  const { v, run, session, plan, participant, type, ...fields } = header;
  if (v !== PROTOCOL_VERSION) throw new OtherVersionError(v, type);
  const known = typeof type === "string" && Object.hasOwn(MESSAGE_FIELDS, type);
  if (!known) refuse("its type is unknown");
  const schema = FIELDS[type as MessageType];
  if (!CHECKS.text(run) || !CHECKS.hex(32)(session) || !CHECKS.hex(64)(plan))
    refuse("its run is not named");
  if (participant !== "" && !isParticipantName(participant)) refuse("its participant is not named");
  for (const [name, check] of Object.entries(schema)) {
    if (!check(fields[name])) refuse(`its ${name} is not what ${type} needs`);
  }
  const extra = Object.keys(fields).find((name) => !Object.hasOwn(schema, name));
  if (extra !== undefined) refuse(`${type} has a field too many`);
  const carries = WITH_VALUES.includes(type as string);
  if (!carries && values.length > 0) refuse(`${type} carries no vector`);
  if (!allFinite(values)) refuse(`the vector of ${type} is not finite`);
  const holdsBytes = WITH_BYTES.includes(type as string);
  if (!holdsBytes && plain.length > 0) refuse(`${type} carries no plain bytes`);
  return {
    run,
    session,
    plan,
    participant,
    type,
    ...fields,
    ...(carries ? { values } : {}),
    ...(holdsBytes ? { bytes: plain } : {}),
  } as Message;
}

/** Bytes that are no message of this version, and why. */
export interface Unreadable {
  readonly type: "unreadable";
  readonly why: string;
  /** Of one of another version: which, and what kind it says it is. */
  readonly other?: Pick<OtherVersionError, "version" | "type">;
}

/** The same for machines, which say what they cannot read and go on. */
export function readMessage(bytes: Uint8Array, from: "curator" | "party"): Message | Unreadable {
  try {
    return decodeMessage(bytes, from);
  } catch (error) {
    const unreadable = { type: "unreadable" as const, why: (error as Error).message };
    return error instanceof OtherVersionError ? { ...unreadable, other: error } : unreadable;
  }
}

function refuse(what: string): never {
  throw new DataError(`message: ${what}; it was ignored.`);
}
