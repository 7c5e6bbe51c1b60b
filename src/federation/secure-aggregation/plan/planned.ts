/**
 * Secure aggregation in a plan: who takes part, known by which key, and on how many honest ones the
 * guarantee counts. Everyone agrees to it by the plan's hash, so a curator cannot swap keys or numbers.
 * @module
 */
import { NAME_FORM } from "../../protocol/messages/names.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { OptionError } from "../../../core/errors.js";
import { checkNames } from "../../../core/messages/known-names.js";
import {
  broken,
  precisionRule,
  requireFields,
  rulesOfHiddenUploads,
} from "../../protocol/rules/plan-rules.js";
import { isKeyText, KEY_BYTES } from "../keys/keys.js";
import type { ShareOptions } from "./mechanism.js";
import { defaultThreshold, parties } from "./parties.js";
import { plannedRelays, relayProblems, type PlannedRelay } from "../../relays/plan/groups.js";

/** A participant as the plan knows it. */
export interface PlannedIdentity {
  /** The name the transport vouches for. */
  readonly name: string;
  /** Ed25519 public key, 64 hexadecimal digits; `newIdentity` makes the pair. */
  readonly identity: string;
  /** Name of the relay that adds up its masked integers with others'; left out: they go to the curator straight. */
  readonly relay?: string;
}

/** What a plan says. */
export interface PlannedAggregation {
  readonly kind: "secure";
  /** n >= 2 of them; a participant's number is its place here. */
  readonly participants: readonly PlannedIdentity[];
  /** t, fewest participants in a sum; default floor(2 n / 3) + 1. */
  readonly threshold: number;
  /** c, how many may collude with the curator while the plan's epsilon holds. */
  readonly colluding: number;
  /** Grid steps to K, in bits; null (default): the most, up to 18, that the number of tasks allows. */
  readonly precision: number | null;
  /**
   * D, how many may be missing at any step, where everyone has some of the others as neighbours instead of all: for hundreds of
   * participants and more. Left out (default): everyone is everyone's neighbour, and n - t may be missing.
   */
  readonly dropOuts?: number;
  /** Relays whose sums are for other relays, so that all of them form trees; left out (default): every relay's are for the curator. */
  readonly relays?: readonly PlannedRelay[];
}

/** What has to be given. */
export type AggregationInput = Pick<PlannedAggregation, "participants" | "colluding"> &
  Partial<PlannedAggregation>;

const KNOWN = ["kind", "participants", "threshold", "colluding", "precision", "dropOuts", "relays"];

/**
 * Fills in defaults.
 * @throws OptionError naming what is wrong.
 */
export function planAggregation(input: AggregationInput): PlannedAggregation {
  const { kind = "secure", participants, colluding, precision = null, dropOuts } = input;
  requireFields("aggregation.", input, {
    participants: `everyone who may take part, [{ name, identity }], the identity ${IDENTITY}`,
  });
  const stray = Object.keys(input).find((name) => !KNOWN.includes(name));
  if (stray !== undefined || kind !== "secure" || !Array.isArray(participants)) {
    throw new OptionError(
      `plan: aggregation: expected { kind: "secure", participants: [{ name, identity }], colluding, ` +
        `threshold?, precision?, dropOuts?, relays? }${stray === undefined ? "" : `, got ${stray}`}`,
    );
  }
  const relays = plannedRelays(input.relays ?? []);
  const list = participants.map(participantOf);
  for (const field of ["name", "identity"] as const) {
    if (new Set(list.map((one) => one[field])).size !== list.length) {
      throw new OptionError(`plan: aggregation.participants: expected every ${field} once`);
    }
  }
  requireFields("aggregation.", input, { colluding: howManyCollude(list.length, input) });
  try {
    const numbers = parties({
      participants: list.length,
      colluding,
      ...(input.threshold === undefined ? {} : { threshold: input.threshold }),
      dropOuts,
    });
    const { threshold } = numbers;
    const planned = { kind, participants: list, threshold, colluding, precision };
    // Absent rather than null, so that plans without them keep their hashes.
    return {
      ...planned,
      ...(dropOuts === undefined ? {} : { dropOuts }),
      ...(relays.length === 0 ? {} : { relays }),
    };
  } catch (cause) {
    throw new OptionError(`plan: aggregation.${(cause as Error).message}`, { cause });
  }
}

/** An entry as a plan keeps it. */
function participantOf(given: PlannedIdentity | null, at: number): PlannedIdentity {
  const where = `aggregation.participants[${at}]`;
  requireFields(`${where}.`, given, { name: NAME_FORM, identity: IDENTITY });
  checkNames(`plan: ${where}`, given, ["name", "identity", "relay"]);
  const { name, identity, relay } = given;
  if (!isKeyText(identity)) {
    throw new OptionError(`plan: ${where}.identity: of ${name}: expected ${IDENTITY}`);
  }
  // Absent rather than null, so that plans without relays keep their hashes.
  return relay === undefined ? { name, identity } : { name, identity, relay };
}

const IDENTITY = `${2 * KEY_BYTES} hexadecimal digits, as join --identity FILE prints them`;

/** What has no default, since nobody else can say whom one trusts. */
function howManyCollude(n: number, { threshold, dropOuts }: Partial<PlannedAggregation>): string {
  const most = 2 * (typeof threshold === "number" ? threshold : defaultThreshold(n)) - n - 1;
  const bound = dropOuts === undefined && most >= 0 ? `from 0 to ${most} here` : "from 0 on";
  return (
    `an integer ${bound}: how many may collude with the curator and each other while epsilon holds; 0 where nobody would. ` +
    "More costs noise, sqrt(participants / (threshold - colluding)) times a trusted curator's"
  );
}

/** What of the rest of a plan does not go with secure sums. */
export function aggregationProblems(plan: {
  readonly quorum: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly tasks: readonly { readonly participant: string | null }[] | null;
  readonly aggregation: PlannedAggregation | null;
}): string[] {
  const { options, quorum, tasks, aggregation } = plan;
  const names = new Set(aggregation!.participants.map(({ name }) => name));
  return [
    ...relayProblems(aggregation!),
    ...broken([
      [quorum === 1, "quorum: with secure aggregation its threshold decides; leave quorum at 1"],
      precisionRule(aggregation!.precision),
      ...rulesOfHiddenUploads(options, { name: "secure aggregation", takes: "takes" }),
      [
        (options["recordRate"] ?? 1) === 1,
        "options.recordRate: expected 1 with secure aggregation: the noise is there whoever is drawn, which no account here amplifies",
      ],
      [
        tasks?.every(({ participant }) => participant === null || names.has(participant)) ?? true,
        "tasks: expected owners among aggregation.participants",
      ],
    ]),
  ];
}

/** The checked numbers of a plan, as mechanisms take them. */
export function shareOptionsOf(planned: PlannedAggregation): ShareOptions {
  const { participants, threshold, colluding, precision, dropOuts } = planned;
  return {
    parties: parties({ participants: participants.length, threshold, colluding, dropOuts }),
    precision: precision ?? undefined,
  };
}

/** The identities' public keys, by number. */
export function identitiesOf({ participants }: PlannedAggregation): Uint8Array[] {
  return participants.map(({ identity }) => hexToBytes(identity));
}
