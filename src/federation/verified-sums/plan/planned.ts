/**
 * Two aggregators in a plan: the curator, who leads, and a helper, each known by its key. Everyone agrees to both by the
 * plan's hash, so neither can exchange the other's.
 * @module
 */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { OptionError } from "../../../core/errors.js";
import { isParticipantName, NAME_FORM } from "../../protocol/messages/names.js";
import {
  broken,
  precisionRule,
  requireFields,
  rulesOfHiddenUploads,
} from "../../protocol/rules/plan-rules.js";
import { isKeyText, KEY_BYTES, pairOf, type KeyPair } from "../../secure-aggregation/keys/keys.js";

/** What a plan says. */
export interface PlannedAggregators {
  readonly kind: "two-aggregators";
  /** X25519 public key of the curator, 64 hexadecimal digits; `curator --key FILE` makes it. */
  readonly leader: string;
  /** The other aggregator. */
  readonly helper: {
    /** Its name in the transport, where participants have theirs. */
    readonly name: string;
    /** Its public key, written as the leader's is; `helper --key FILE` makes it. */
    readonly key: string;
  };
  /** Grid steps to K, in bits; null (default): the most, up to 16, that tasks and proofs allow. */
  readonly precision: number | null;
}

/** What has to be given. */
export type AggregatorsInput = Pick<PlannedAggregators, "kind" | "leader" | "helper"> &
  Partial<PlannedAggregators>;

const KNOWN = ["kind", "leader", "helper", "precision"];

/**
 * Fills in defaults.
 * @throws OptionError naming what is wrong.
 */
export function planAggregators(input: AggregatorsInput): PlannedAggregators {
  const { kind, leader, helper, precision = null } = input;
  requireFields("aggregation.", input, {
    leader: `the curator's ${keyFrom("curator")}`,
    helper: "the other aggregator, { name, key }",
  });
  const stray = [
    ...Object.keys(input).filter((name) => !KNOWN.includes(name)),
    ...Object.keys(helper).filter((name) => !["name", "key"].includes(name)),
  ];
  if (stray.length > 0) {
    throw new OptionError(
      `plan: aggregation: expected { kind: "two-aggregators", leader, helper: { name, key }, precision? }, got ${stray.join(", ")}`,
    );
  }
  requireFields("aggregation.helper.", helper, {
    name: NAME_FORM,
    key: `its ${keyFrom("helper")}`,
  });
  const { name, key } = helper;
  if (!isKeyText(leader)) {
    throw new OptionError(`plan: aggregation.leader: expected a ${keyFrom("curator")}`);
  }
  if (!isKeyText(key)) {
    throw new OptionError(`plan: aggregation.helper.key: expected a ${keyFrom("helper")}`);
  }
  if (leader === key) {
    throw new OptionError("plan: aggregation: expected two aggregators, got one key for both");
  }
  return { kind, leader, helper: { name, key }, precision };
}

const keyFrom = (command: string) =>
  `public key, ${2 * KEY_BYTES} hexadecimal digits, as ${command} --key FILE prints it`;

/** What of the rest of a plan does not go with two aggregators. */
export function aggregatorProblems(plan: {
  readonly options: Readonly<Record<string, unknown>>;
  readonly tasks: readonly { readonly participant: string | null }[] | null;
  readonly aggregation: PlannedAggregators;
}): string[] {
  const { options, tasks, aggregation } = plan;
  const { helper, precision } = aggregation;
  return broken([
    [isParticipantName(helper.name), `aggregation.helper.name: expected ${NAME_FORM}`],
    precisionRule(precision),
    ...rulesOfHiddenUploads(options, { name: "two aggregators", takes: "take" }),
    [
      (options["unit"] ?? "task") === "task",
      "options.unit: expected task with two aggregators: a proof of a norm is of a task's whole vector, not of a record's part",
    ],
    [
      tasks?.every(({ participant }) => participant !== helper.name) ?? true,
      "tasks: expected owners other than the helper",
    ],
  ]);
}

/** Public keys of leader and helper. */
export function aggregatorKeys({
  leader,
  helper,
}: PlannedAggregators): readonly [Uint8Array, Uint8Array] {
  return [hexToBytes(leader), hexToBytes(helper.key)];
}

/** Whether that name is the plan's helper's. */
export function isHelper(
  { aggregation }: { readonly aggregation: { readonly kind: string } | null },
  name: string,
): boolean {
  return (
    aggregation?.kind === "two-aggregators" &&
    (aggregation as PlannedAggregators).helper.name === name
  );
}

/**
 * The leader's pair.
 * @throws OptionError without its secret, or with that of another key than the plan's.
 */
export function leaderPair(planned: PlannedAggregators, secret: Uint8Array | undefined): KeyPair {
  return pairIn("leader", planned.leader, secret);
}

/** The helper's; as {@link leaderPair}. */
export function helperPair(planned: PlannedAggregators, secret: Uint8Array | undefined): KeyPair {
  return pairIn("helper", planned.helper.key, secret);
}

function pairIn(who: string, key: string, secret: Uint8Array | undefined): KeyPair {
  if (!secret) throw new OptionError(`key: a plan with two aggregators needs the ${who}'s secret`);
  const pair = pairOf(secret);
  const found = bytesToHex(pair.public);
  if (found === key) return pair;
  throw new OptionError(`key: the plan knows the ${who} by another key than ${found}`);
}
