/**
 * A plan in words, for the owner of the data to read before agreeing.
 * @module
 */
import { counted } from "../../../core/messages/counted.js";
import { methodNamed } from "../../../learning/methods.js";
import { relayGroups, type RelayGroup } from "../../relays/plan/groups.js";
import { RelayTree } from "../../relays/relay-tree.js";
import { shareOptionsOf, type PlannedAggregation } from "../../secure-aggregation/plan/planned.js";
import { planHash } from "../plan/plan-hash.js";
import {
  hasOwnEpsilons,
  isSeeded,
  notPromised,
  ofRecords,
  priorWords,
  promiseOf,
} from "./plan-promise.js";
import { warningsOf } from "./plan-prospects.js";
import { clipWords } from "./clip-words.js";
import { scaleWords } from "./scale-words.js";
import { schemaWords } from "./schema-words.js";
import { handedPlan } from "../plan/handed-plan.js";
import type { Plan } from "../plan/plan-form.js";

/**
 * The plan as lines of text: what is computed, what leaves the participant, what is promised, what is
 * not, and how long it takes.
 */
export function describePlan(plan: Plan): string[] {
  const { options, tasks, features, classes, registration, deadline, quorum, aggregation } =
    handedPlan(plan);
  const option = (name: string) => options[name];
  const untrusted = option("curator") === "untrusted";
  const sampling = option("sampling") as { kind: string; rate?: number; size?: number } | undefined;
  const lines = [
    `Run ${plan.run}, plan ${planHash(plan)}.`,
    `Method ${plan.method}, ${text(option("loss"))} loss, ${counted(features.length, "feature")}` +
      (classes ? `, labels ${classes.map((label) => JSON.stringify(label)).join(", ")}.` : "."),
    `Features, in this order: ${features.join(", ")}.`,
    ...schemaWords(plan),
    ...scaleWords(plan),
    ...clipWords(plan),
    plan.normalize === "rows"
      ? "Every participant scales each of its rows to length 1."
      : "Rows are not scaled to a common length.",
    tasks
      ? `Tasks: ${tasks.length}, at least ${plan.minimumTasks} to start, in the order of the plan.`
      : `Tasks: whoever registers, at least ${plan.minimumTasks} to start.`,
    `Leaves a participant: the names of its tasks and their numbers of rows (all participants learn the sum over all ` +
      `tasks, and the largest${hasOwnEpsilons(plan) ? OWN_EPSILONS : ""}); each round, for each task, one ` +
      `${ofRecords(plan) ? "vector made of its rows" : `vector of norm at most ${text(boundOf(plan))}`}${aggregation ? LEAVES[aggregation.kind] : ""}` +
      `${sampling && sampling.kind !== "all" ? ", or zeros of the same length if it is not drawn" : ""}${voteWords(plan)}. ` +
      `Rows and targets stay.${ofRecords(plan) ? "" : " A round's vector may be all of a task's model."}`,
    promiseOf(plan),
    ...priorWords(plan),
    untrusted
      ? `The curator is not trusted: each record ${isSeeded(plan) ? "would, with secure noise, be" : "is"} protected from it with epsilon ` +
        `${text(option("recordEpsilon"))}.`
      : (secureWords(plan) ?? "The curator is trusted: it sees these vectors without noise."),
    notPromised(plan),
    `A round stays open ${deadline} s and closes with ${quorum === 1 ? "all tasks" : `${quorum * 100} % of the tasks`} ` +
      `expected; a task that is absent counts as zero.` +
      (registration === null ? "" : ` Registration stays open ${registration} s.`) +
      latecomerWords(plan),
  ];
  lines.push(...warningsOf(plan).map((warning) => `Mind: ${warning}.`));
  if (isSeeded(plan))
    lines.push("NOT PRIVATE: the noise is drawn from a seed that is in the plan.");
  return lines;
}

/** What the start tells beside sums where participants stated epsilons of their own. */
const OWN_EPSILONS =
  "; and, if a participant states an epsilon of its own, every task's number of rows and epsilon, without its name";

/** What is uploaded once more where all tasks choose together. */
function voteWords({ options }: Plan): string {
  const { choice } = options;
  if (choice !== "pooled" && choice !== "auto") return "";
  const perhaps = choice === "auto" ? "perhaps " : "";
  return `; and after the rounds ${perhaps}a vote of norm at most 1 in a choice of all`;
}

/** Who may come after the start. */
function latecomerWords({ latecomers }: Plan): string {
  if (!latecomers) return "";
  const { tasks, rows } = latecomers;
  return (
    ` Up to ${tasks} ${tasks === 1 ? "task" : "tasks"} of at most ${rows} rows may join after the start; until then each counts as one ` +
    `that is absent.`
  );
}

/** How a vector leaves a participant, where the curator is not to see it. */
const LEAVES = {
  relays: "",
  secure: ", in a masked sum over its tasks",
  "two-aggregators": ", in two sealed shares with a proof that it is no longer",
} as const;

/** Who must be honest, where the curator does not see all vectors. */
function secureWords({ aggregation }: Plan): string | undefined {
  if (!aggregation) return undefined;
  if (aggregation.kind === "two-aggregators") {
    return (
      `Neither the curator nor the helper "${aggregation.helper.name}" sees a vector, and each adds all the noise: the promise ` +
      `holds as long as one of the two follows the protocol. Both together see every vector. A participant whose ` +
      `vector is longer is refused by name.`
    );
  }
  if (aggregation.kind === "relays") return trustedRelays(relayGroups(aggregation));
  const { participants, threshold, colluding } = aggregation;
  return (
    `The curator sees no vector, only sums over at least ${threshold} of ${participants.length} participants ` +
    `with noise that they add: the promise holds against it together with up to ${colluding} of them, ` +
    `and against more it is weaker (the model's guarantee says by how much).${ringWords(aggregation)}${relayWords(aggregation)}`
  );
}

/** With whom a participant has masks, where that is not everyone. */
function ringWords(aggregation: PlannedAggregation): string {
  const { ring } = shareOptionsOf(aggregation).parties;
  return ring
    ? ` Each has masks with ${ring.neighbours} others, in an order that follows from the sum: who colludes must not depend on it, and ` +
        `up to ${aggregation.dropOuts} may be missing at any step.`
    : "";
}

/** Who adds up masked numbers before the curator does. */
function relayWords(aggregation: PlannedAggregation): string {
  const relays = relayGroups(aggregation);
  if (relays.length === 0) return "";
  return (
    ` Relays add up masked numbers on the way (${namesOf(relays)}); the promise holds whatever they do, also in league ` +
    `with the curator.`
  );
}

/** Who sees vectors where relays add them up. */
function trustedRelays(relays: readonly RelayGroup[]): string {
  const curator = "The curator is trusted: it sees ";
  if (relays.length === 0) return `${curator}these vectors without noise.`;
  return (
    `${curator}without noise the sums of relays (${namesOf(relays)}), and the vectors of participants without one, or whose relay is ` +
    `away. A relay is trusted as the curator is: it sees the vectors of its participants without noise, and the promise is not against it.`
  );
}

/** The first of many relays, and how deep they are. */
function namesOf(relays: readonly RelayGroup[]): string {
  const some = relays
    .slice(0, 8)
    .map(({ name }) => name)
    .join(", ");
  const more = relays.length > 8 ? `, and ${relays.length - 8} more` : "";
  const tree = new RelayTree(relays);
  const levels = Math.max(...relays.map((_, relay) => tree.height(relay)));
  return `${some}${more}${levels > 1 ? `, in ${levels} levels` : ""}`;
}

/** K, from the options that fix it. */
const boundOf = ({ method, options }: Plan) => methodNamed(method).uploadNorm!(options);

const text = (value: unknown) => String(value);
