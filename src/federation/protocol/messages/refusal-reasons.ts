/**
 * Why a curator refuses a participant, and the limits that are among the reasons.
 * @module
 */

/** Most rows of a task that a table can hold, and longest name: what is registered beyond is refused. */
export const TASK_LIMITS = { rows: 2 ** 29, name: 256 } as const;

/** Why a curator refuses a participant. */
export type Refusal = keyof typeof REFUSALS;

/** What a refused participant is told. */
export const REFUSALS = {
  "other-plan": "it was agreed to another plan than the curator's",
  "already-started":
    "the run has started without it, or with other tasks or numbers of rows of it; who took part from the start goes on with the table of then",
  "no-place":
    "the run has started, and the plan keeps no place for it: all are taken, a task has more rows than places are for, " +
    "or it states an epsilon of its own",
  "not-in-plan": "a task or the participant is not in the plan, or a task was given twice",
  "task-taken": "a task is another participant's",
  "too-large": `a task has more than ${TASK_LIMITS.rows} rows, or more than the plan's sums can hold, or a name longer than ${TASK_LIMITS.name} characters`,
  "small-epsilon":
    "the epsilon that it states is too small beside the plan's, whose noise is on a coarser grid; state a larger one, or agree on a plan " +
    "with a smaller epsilon",
  "other-state":
    "it takes part with another state (--state, its store): two states would draw two noises for one round, and the curator " +
    "could compare them. End the process that should not take part, and go on with the state of the other, on its machine; before the start that is the one " +
    "that came last. Where it was lost since, this one takes no further part in the run: without a participant, whom the operator may expel, " +
    "the run goes on, without a helper it does not; another run has a budget of its own",
  "too-many": "it has more tasks than the curator lets one participant register",
  expelled: "the run's operator, or its rule for silent participants, has expelled it",
  "other-version":
    "it speaks another version of the protocol; install the same release on both sides",
} as const;

/** What ends a party that is refused. */
export const refusalInWords = (party: "participant" | "relay" | "helper", reason: Refusal) =>
  `the curator refused this ${party} (${reason}): ${REFUSALS[reason]}`;
