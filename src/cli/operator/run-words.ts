/**
 * How a run stands, as `runs` says it: of a live curator as that one tells it, of others as their records do.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { shortPromise } from "../words/short.js";
import type { RunSnapshot } from "./run-monitor.js";
import type { StoredRun } from "./stored-run.js";

/** What was spent, of what the plan allows. */
interface Spent {
  readonly epsilon: number;
  readonly of: number;
  readonly delta: number;
}

/** A curator of this machine that is alive. */
export interface LiveStatus extends RunSnapshot {
  readonly live: true;
  readonly spent: Spent | null;
}

/** A run that is told by its records. */
export interface StoredStatus extends StoredRun {
  /** null where the records are in a bucket: a curator may be alive on another machine. */
  readonly live: false | null;
  /** All rounds were released; its curator was stopped in good order; or neither: it is under way, and no curator is alive here. */
  readonly state: "ended" | "stopped" | "no curator";
}

/** Either. */
export type Status = LiveStatus | StoredStatus;

/** How a run stands by its records. @param stopped whether its last curator here was stopped in good order. */
export function stateOf({ released, rounds }: StoredRun, stopped: boolean): StoredStatus["state"] {
  if (released === rounds) return "ended";
  return stopped ? "stopped" : "no curator";
}

/** Cells of the list: name, state, round, participants. */
export function lineOf(name: string, status: Status): string[] {
  if ("phase" in status) {
    const { phase, round, rounds, participants } = status;
    const there = Object.values(participants).filter(({ state }) => state !== "awaited").length;
    return [name, phase, `${round} of ${rounds || "?"}`, String(there)];
  }
  const { started, state, participants } = status;
  const round = started ? `${releasedOf(status)} released` : "not begun";
  return [name, state, round, String(participants.length)];
}

/** One sentence a line. */
export function wordsOf(status: Status): string[] {
  return "phase" in status ? liveWords(status) : storedWords(status);
}

const IN_FOLDER: Readonly<Record<StoredStatus["state"], string>> = {
  ended: "the run has ended",
  stopped: "the run was stopped, and the same curator command goes on",
  "no curator": "under way, and no curator is alive: the same curator command goes on",
};
/** A curator may be alive on another machine. */
const IN_BUCKET: typeof IN_FOLDER = {
  ended: IN_FOLDER.ended,
  stopped: "under way, and the curator that was here was stopped",
  "no curator": "under way, and no curator is alive here",
};

const releasedOf = ({ released, rounds }: StoredRun) => `${released} of ${rounds ?? "?"}`;

function storedWords(status: StoredStatus): string[] {
  const curator = (status.live === null ? IN_BUCKET : IN_FOLDER)[status.state];
  const round = status.started
    ? `rounds released: ${releasedOf(status)}`
    : "the rounds have not begun, who is named has registered";
  return [
    `${curator}; ${round}; plan ${status.plan}`,
    ...status.participants.map(({ name, tasks }) => `${name}: ${tasks.join(", ")}`),
    ...status.expelled.map((name) => `${name} was expelled`),
  ];
}

function liveWords(status: LiveStatus): string[] {
  const { phase, round, rounds, closed, missing, participants, plan, spent } = status;
  return [
    `${phase}, round ${round} of ${rounds || "?"}; plan ${plan}`,
    ...(status.link === "down" ? ["its server is not reached; the run waits"] : []),
    ...(status.store === "waits"
      ? ["the store of its records does not answer; the run waits"]
      : []),
    ...(closed ? [`round ${closed.round}: ${closed.present} of ${closed.expected} tasks`] : []),
    ...(spent
      ? [
          `spent: epsilon ${shortPromise(spent.epsilon)} of ${shortPromise(spent.of)}, delta ${shortPromise(spent.delta)}`,
        ]
      : []),
    ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
    ...Object.entries(participants).map(
      ([name, { state, tasks }]) => `${name}: ${state}, ${counted(tasks, "task")}`,
    ),
  ];
}
