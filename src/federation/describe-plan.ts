/**
 * A plan in plain words: what a data owner must know before it says yes.
 * @module
 */
import type { Plan } from "./plan.js";

/** The options that every plan's words are about; a method has others besides. */
interface Told {
  readonly epsilon: number;
  readonly delta: number | "auto";
  readonly adjacency: "replace" | "zero-out";
  readonly rounds: number;
  readonly clip?: number;
  readonly share?: "unit" | "clipped";
  readonly curator?: "trusted" | "untrusted";
  readonly recordEpsilon?: number;
  readonly random: { readonly mode: string };
}

/**
 * The statements of a plan, one a line, for a terminal or a page.
 * @param hash  the plan's, from `planHash`.
 */
export function describePlan(plan: Plan, hash: string): string[] {
  const told = plan.options as unknown as Told;
  return [
    `Run "${plan.run}": ${plan.method}, ${count(told.rounds, "round")}, on ` +
      `${count(plan.features.length, "feature")}: ${list(plan.features)}.`,
    ...(plan.normalize === "rows" ? ["Every row is scaled to unit length here, first."] : []),
    whatLeaves(told),
    whoSees(told),
    whatIsPromised(told),
    "Told to the curator in the open: the names of your tasks, and how many rows each has.",
    "Not covered: whoever is handed your own models learns from them about your data.",
    whoTakesPart(plan),
    whenItGoesOn(plan),
    `Plan's hash: ${hash}`,
  ];
}

function whatLeaves({ clip, share }: Told): string {
  const bound =
    share === "unit"
      ? ", scaled to one length"
      : clip === undefined
        ? ""
        : `, of length ${clip} at most`;
  return (
    `What leaves this machine: in each round one vector for each of your tasks, made from its ` +
    `model${bound}. Your rows do not leave it.`
  );
}

function whoSees({ curator = "trusted", recordEpsilon }: Told): string {
  return curator === "trusted"
    ? "Who sees these vectors: the curator, who is trusted with them; no other participant."
    : `The curator is not trusted: noise added here protects each of your rows from it, at eps ` +
        `${recordEpsilon} over all rounds.`;
}

function whatIsPromised({ epsilon, delta, adjacency, random }: Told): string {
  if (random.mode !== "secure") {
    return "NOT PRIVATE: the noise comes from a seed that is in the plan. For tests only.";
  }
  const deltaText = delta === "auto" ? "1/(m log m) for m tasks" : String(delta);
  const change =
    adjacency === "replace" ? "if it were another task's" : "if the task shared nothing but zeros";
  return (
    `What is promised: all other participants together learn from the run nearly what they would ` +
    `have learned ${change}: joint (eps, delta)-differential privacy of each task, eps ${epsilon}, ` +
    `delta ${deltaText}, ${adjacency} adjacency.`
  );
}

function whoTakesPart({ tasks, minimumTasks, registration }: Plan): string {
  const who = tasks
    ? `The tasks of the run: ${list(tasks.map(({ name }) => name))}`
    : "Whoever registers takes part";
  const start =
    registration === null
      ? tasks
        ? "it starts when all are there"
        : "the curator says when it starts"
      : `it starts after ${registration} s, with ${count(minimumTasks, "task")} at least`;
  return `${who}; ${start}.`;
}

function whenItGoesOn({ deadline, quorum }: Plan): string {
  return (
    `A round closes when all tasks have shared, or after ${deadline} s if ` +
    `${quorum === 1 ? "none is" : `no more than ${Math.round((1 - quorum) * 100)} % are`} missing; ` +
    `otherwise it waits. A task that is missing counts as zero.`
  );
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;

const list = (names: readonly string[]) =>
  names.length > 8
    ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more`
    : names.join(", ");
