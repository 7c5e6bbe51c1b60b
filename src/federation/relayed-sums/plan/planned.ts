/**
 * Relays for plain sums in a plan: who takes part, and which relay adds up whose vectors. Everyone agrees to it by the plan's hash, so
 * nobody's vectors go to a relay that its owner did not agree to.
 * @module
 */
import { OptionError } from "../../../core/errors.js";
import { checkNames } from "../../../core/messages/known-names.js";
import { isParticipantName, NAME_FORM } from "../../protocol/messages/names.js";
import { broken, requireFields } from "../../protocol/rules/plan-rules.js";
import { plannedRelays, relayProblems, type PlannedRelay } from "../../relays/plan/groups.js";

/** A participant whose vectors a relay may see. */
export interface RelayedParticipant {
  /** The name the transport vouches for. */
  readonly name: string;
  /** Name of the relay that clips its vectors and adds them to others'; left out: they go to the curator straight. */
  readonly relay?: string;
}

/** What a plan says. */
export interface PlannedRelays {
  readonly kind: "relays";
  /** Everyone who may take part; a participant's number is its place here. */
  readonly participants: readonly RelayedParticipant[];
  /** Relays whose sums are for other relays, so that all of them form trees; left out (default): every relay's are for the curator. */
  readonly relays?: readonly PlannedRelay[];
}

const KNOWN = ["kind", "participants", "relays"];

/**
 * Brings the input to the one form that a plan keeps.
 * @throws OptionError naming what is wrong.
 */
export function planRelays(input: PlannedRelays): PlannedRelays {
  const { kind, participants } = input;
  requireFields("aggregation.", input, {
    participants: "everyone who may take part, [{ name, relay? }]",
  });
  const stray = Object.keys(input).find((name) => !KNOWN.includes(name));
  if (stray !== undefined || !Array.isArray(participants) || participants.length === 0) {
    throw new OptionError(
      `plan: aggregation: expected { kind: "relays", participants: [{ name, relay? }], relays?: [{ name, relay }] }` +
        (stray === undefined ? "" : `, got ${stray}`),
    );
  }
  const list = participants.map(participantOf);
  if (new Set(list.map(({ name }) => name)).size !== list.length) {
    throw new OptionError("plan: aggregation.participants: expected every name once");
  }
  const relays = plannedRelays(input.relays ?? []);
  return { kind, participants: list, ...(relays.length === 0 ? {} : { relays }) };
}

/** An entry as a plan keeps it. What its names must be is told with the rest of the plan (`relayedSumProblems`). */
function participantOf(given: RelayedParticipant | null, at: number): RelayedParticipant {
  const where = `aggregation.participants[${at}]`;
  requireFields(`${where}.`, given, { name: NAME_FORM });
  checkNames(`plan: ${where}`, given, ["name", "relay"]);
  const { name, relay } = given;
  return relay === undefined ? { name } : { name, relay };
}

/** What of the rest of a plan does not go with relays for plain sums. */
export function relayedSumProblems({
  options,
  tasks,
  aggregation,
}: {
  readonly options: Readonly<Record<string, unknown>>;
  readonly tasks: readonly { readonly participant: string | null }[] | null;
  readonly aggregation: PlannedRelays;
}): string[] {
  const { curator, sampling, aggregate, unit, statistic } = options;
  const kindOf = (option: unknown) => (option as { kind: string } | undefined)?.kind;
  const names = new Set(aggregation.participants.map(({ name }) => name));
  const robust = kindOf(aggregate) ?? "mean";
  return [
    ...relayProblems(aggregation),
    ...broken([
      [
        [...names].every(isParticipantName),
        `aggregation.participants: a participant's name has ${NAME_FORM}`,
      ],
      [
        tasks?.every(({ participant }) => participant === null || names.has(participant)) ?? true,
        "tasks: expected owners among aggregation.participants",
      ],
      [
        robust === "mean",
        `options.aggregate: expected mean with relays, got ${robust}: it looks at every vector, and of those that a relay adds up ` +
          "the curator has the sum; leave out aggregation",
      ],
      [
        (kindOf(sampling) ?? "all") === "all",
        "options.sampling: expected all with relays: a relay would see who was drawn, which must stay a secret",
      ],
      [
        curator !== "untrusted",
        "options.curator: expected trusted with relays; for a curator that is not, take secure sums, which have relays, too",
      ],
      [
        (unit ?? "task") === "task",
        "options.unit: expected task with relays for plain sums; secure sums hide single records, and have relays, too",
      ],
      [
        statistic !== "task-covariance",
        "options.statistic: expected a sum over tasks with relays, got task-covariance, every entry of which needs two tasks' vectors",
      ],
    ]),
  ];
}
