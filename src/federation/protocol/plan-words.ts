/**
 * A plan in words, for the owner of the data to read before agreeing.
 * @module
 */
import { methodNamed } from "../../learning/methods.js";
import {
  readDelta,
  resolveDelta,
  type DeltaChoice,
  type PersonBound,
} from "../../privacy/index.js";
import { personWords } from "../../privacy/guarantee-words.js";
import { decimalAbove } from "../../privacy/accounting/rounding.js";
import { relayGroups } from "../relays/groups.js";
import { RelayTree } from "../relays/relay-tree.js";
import { shareOptionsOf, type PlannedAggregation } from "../secure-aggregation/planned.js";
import { planHash } from "./plan-hash.js";
import { schemaWords } from "./schema-words.js";
import type { Plan } from "./plan-form.js";

/**
 * The plan as lines of text: what is computed, what leaves the participant, what is promised, what is
 * not, and how long it takes.
 */
export function describePlan(plan: Plan): string[] {
  const { options, tasks, features, classes, registration, deadline, quorum, aggregation } = plan;
  const option = (name: string) => options[name];
  const seeded = (option("random") as { mode: string }).mode === "seeded";
  const untrusted = option("curator") === "untrusted";
  const sampling = option("sampling") as { kind: string; rate?: number; size?: number } | undefined;
  const lines = [
    `Run ${plan.run}, plan ${planHash(plan)}.`,
    `Method ${plan.method}, ${text(option("loss"))} loss, ${features.length} features` +
      (classes ? `, labels ${classes.map((label) => JSON.stringify(label)).join(", ")}.` : "."),
    `Features, in this order: ${features.join(", ")}.`,
    ...schemaWords(plan),
    plan.normalize === "rows"
      ? "Every participant scales each of its rows to length 1."
      : "Rows are used as they are.",
    tasks
      ? `Tasks: ${tasks.length}, at least ${plan.minimumTasks} to start, in the order of the plan.`
      : `Tasks: whoever registers, at least ${plan.minimumTasks} to start.`,
    `Leaves a participant: the names of its tasks and their numbers of rows (all participants learn the sum over all ` +
      `tasks, and the largest); each round, for each task, one ` +
      `${ofRecords(plan) ? "vector made of its rows" : `vector of norm at most ${text(boundOf(plan))}`}${aggregation ? LEAVES[aggregation.kind] : ""}` +
      `${sampling && sampling.kind !== "all" ? ", or zeros of the same length if it is not drawn" : ""}. ` +
      `Rows, targets and models stay.`,
    `Promised: the view of ${against(aggregation)} other participants together is (${text(option("epsilon"))}, ` +
      `${deltaOf(plan)})-differentially private with respect to ${unitOf(plan)} (${text(option("adjacency"))} ` +
      `adjacency)${option("rounds") === undefined ? "" : `, over ${text(option("rounds"))} rounds`}.`,
    untrusted
      ? `The curator is not trusted: each record is protected from it with epsilon ` +
        `${text(option("recordEpsilon"))}.`
      : (secureWords(plan) ?? "The curator is trusted: it sees these vectors without noise."),
    notPromised(plan),
    `A round stays open ${deadline} s and closes with ${quorum === 1 ? "all tasks" : `${quorum * 100} % of the tasks`} ` +
      `expected; a task that is absent counts as zero.` +
      (registration === null ? "" : ` Registration stays open ${registration} s.`) +
      latecomerWords(plan),
  ];
  const remark =
    tasks && !ofRecords(plan) && deltaRemark(options["delta"] as DeltaChoice, tasks.length);
  if (remark) lines.push(`Mind: ${remark}.`);
  if (seeded) lines.push("NOT PRIVATE: the noise is drawn from a seed that is in the plan.");
  return lines;
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
  secure: ", in a masked sum over its tasks",
  "two-aggregators": ", in two sealed shares with a proof that it is no longer",
} as const;

/** Whose view is promised about. */
function against(aggregation: Plan["aggregation"]): string {
  if (!aggregation) return "all";
  return aggregation.kind === "secure"
    ? `the curator and up to ${aggregation.colluding}`
    : "the curator or the helper, whichever of the two, and all";
}

/** Who must be honest, where the curator sees no vectors. */
function secureWords({ aggregation }: Plan): string | undefined {
  if (!aggregation) return undefined;
  if (aggregation.kind === "two-aggregators") {
    return (
      `Neither the curator nor the helper "${aggregation.helper.name}" sees a vector, and each adds all the noise: the promise ` +
      `holds as long as one of the two follows the protocol. Both together see every vector. A participant whose ` +
      `vector is longer is refused by name.`
    );
  }
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
  const some = relays
    .slice(0, 8)
    .map(({ name }) => name)
    .join(", ");
  const more = relays.length > 8 ? `, and ${relays.length - 8} more` : "";
  const tree = new RelayTree(relays);
  const levels = Math.max(...relays.map((_, relay) => tree.height(relay)));
  const deep = levels > 1 ? `, in ${levels} levels` : "";
  return (
    ` Relays add up masked numbers on the way (${some}${more}${deep}); the promise holds whatever they do, also in league ` +
    `with the curator.`
  );
}

/** Whether single records, or persons, are what the promise is about. */
const ofRecords = ({ options }: Plan) => options["unit"] === "record";

/** What the budget hides. */
function unitOf(plan: Plan): string {
  if (!ofRecords(plan)) return "one task";
  const { rowsPerPerson = 1, tasksPerPerson = 1 } = plan.options as Partial<PersonBound>;
  return rowsPerPerson > 1 || tasksPerPerson > 1
    ? personWords({ rowsPerPerson, tasksPerPerson })
    : "one record (row) of one task";
}

function notPromised(plan: Plan): string {
  if (!ofRecords(plan)) {
    return "Not promised: protection of a task from whoever is handed its own model.";
  }
  const held =
    plan.options["ownModel"] === "noisy"
      ? ""
      : ", and of a record from whoever is handed its task's model";
  return `Not promised: protection of what is true of a whole task${held}.`;
}

/** K, from the options that fix it. */
const boundOf = ({ method, options }: Plan) => methodNamed(method).uploadNorm!(options);

/** What a large delta permits, if all tasks start. */
function deltaRemark(delta: DeltaChoice, m: number): string | undefined {
  if (delta === "papers" && m < 3) return undefined;
  return readDelta(resolveDelta(delta, m), m).remark;
}

function deltaOf(plan: Plan): string {
  const { options, tasks } = plan;
  const delta = options["delta"] as DeltaChoice;
  if (typeof delta === "number") return String(delta);
  if (ofRecords(plan)) {
    return `${delta === "auto" ? "the smaller of 1e-5 and 1/N^2" : "1/(N ln N)"} for the N rows of the tasks that start`;
  }
  const formula = delta === "auto" ? "the smaller of 1e-5 and 1/m^2" : "1/(m ln m)";
  const forWhom = `${formula} for the m tasks that start`;
  return tasks && tasks.length >= 3
    ? `${forWhom}, ${decimalAbove(resolveDelta(delta, tasks.length), 3)} if all do`
    : forWhom;
}

const text = (value: unknown) => String(value);
