/**
 * What the operator of a live run may see of it: names, counts, rounds; no data, no model. As JSON, and as
 * metrics.
 * @module
 */
import { planHash, type CuratorStatus, type Plan } from "../../federation/index.js";
import { commonMetrics, metricsText, type Watched } from "./metrics.js";

/** One participant, as far as the curator knows it. */
export interface WatchedParticipant {
  readonly tasks: number;
  readonly state: "awaited" | "registered" | "left" | "expelled" | "finished";
}

/** A run at one moment. */
export interface RunSnapshot {
  readonly run: string;
  readonly plan: string;
  readonly link: "up" | "down";
  /** Whether the store of its records answers; while it does not, nothing is published. */
  readonly store: "answers" | "waits";
  readonly phase: "registering" | "running" | "waiting" | "over";
  readonly round: number;
  readonly rounds: number;
  /** Of the round that closed last: tasks of the run, those that answered, vectors clipped here. */
  readonly closed: { round: number; expected: number; present: number; clipped: number } | null;
  /** Who has not answered: while the run waits, of the round that closed last who let a deadline pass, and at the end for whom the curator stays. */
  readonly missing: readonly string[];
  readonly participants: Readonly<Record<string, WatchedParticipant>>;
  /** Messages refused since this process started. */
  readonly refused: number;
}

/** Follows a curator's statuses. */
export class RunMonitor implements Watched {
  #snapshot: RunSnapshot;
  readonly #minimumTasks: number;
  #clipped = 0;

  /** Whom the plan names is awaited from the beginning. */
  constructor(plan: Plan) {
    const participants: Record<string, WatchedParticipant> = {};
    for (const { participant } of plan.tasks ?? []) {
      if (participant === null) continue;
      const tasks = (participants[participant]?.tasks ?? 0) + 1;
      participants[participant] = { tasks, state: "awaited" };
    }
    this.#minimumTasks = plan.minimumTasks;
    this.#snapshot = {
      run: plan.run,
      plan: planHash(plan),
      link: "down",
      store: "answers",
      phase: "registering",
      round: 0,
      rounds: 0,
      closed: null,
      missing: [],
      participants,
      refused: 0,
    };
  }

  /** Why the rounds cannot be begun by hand; undefined where they can. */
  get whyNotBegin(): string | undefined {
    const { phase, participants } = this.#snapshot;
    if (phase !== "registering") return "the rounds have begun";
    const tasks = Object.values(participants)
      .filter(({ state }) => state === "registered")
      .reduce((sum, one) => sum + one.tasks, 0);
    if (tasks >= this.#minimumTasks) return undefined;
    const are = tasks === 1 ? "1 task is" : `${tasks} tasks are`;
    return `${are} registered and the plan asks for ${this.#minimumTasks} at least (minimumTasks)`;
  }

  get snapshot(): RunSnapshot {
    return this.#snapshot;
  }

  /** Takes a status. */
  note(status: CuratorStatus): void {
    const before = this.#snapshot;
    const set = (change: Partial<RunSnapshot>) => (this.#snapshot = { ...before, ...change });
    const mark = (name: string, state: WatchedParticipant["state"], tasks?: number) => {
      const known = tasks ?? before.participants[name]?.tasks ?? 0;
      set({ participants: { ...before.participants, [name]: { tasks: known, state } } });
    };
    switch (status.kind) {
      case "registered":
      case "joined":
        mark(status.participant, "registered", status.tasks);
        return;
      case "left":
      case "expelled":
      case "finished":
        mark(status.participant, status.kind);
        this.#heardOf(status.participant);
        return;
      case "refused":
        set({ refused: before.refused + (status.times ?? 1) });
        return;
      case "link":
        set({ link: status.state });
        return;
      case "resumed": {
        const known = status.participants.map(({ participant, tasks, expelled }) => {
          const state = expelled ? ("expelled" as const) : ("registered" as const);
          return [participant, { tasks, state }] as const;
        });
        const participants = { ...before.participants, ...Object.fromEntries(known) };
        const { round, rounds } = status;
        set({ phase: round === rounds ? "over" : "running", round, rounds, participants });
        return;
      }
      case "round":
        set({ phase: "running", round: status.round, rounds: status.rounds });
        return;
      case "paused":
        set({ phase: "waiting", missing: status.missing });
        return;
      case "lingering":
        set({ missing: status.awaited });
        return;
      case "closed": {
        const { kind: _kind, silent: missing = [], ...closed } = status;
        this.#clipped += closed.clipped;
        set({ closed, missing, phase: closed.round === before.rounds ? "over" : "running" });
        return;
      }
    }
  }

  /** At the end the curator does not stay for this one any more. */
  #heardOf(participant: string): void {
    const { phase, missing } = this.#snapshot;
    if (phase !== "over") return;
    this.#snapshot = {
      ...this.#snapshot,
      missing: missing.filter((name) => name !== participant),
    };
  }

  /** The store of the records answers, or is waited for. */
  storeTurned(store: RunSnapshot["store"]): void {
    this.#snapshot = { ...this.#snapshot, store };
  }

  get link(): "up" | "down" {
    return this.#snapshot.link;
  }

  metrics(): string {
    const { run, phase, store, closed, missing, participants } = this.#snapshot;
    const count = (state: WatchedParticipant["state"]) =>
      Object.values(participants).filter((one) => one.state === state).length;
    return metricsText(run, [
      ...commonMetrics({ ...this.#snapshot, over: phase === "over" }),
      ["waiting", "gauge", "Whether the quorum is missing.", Number(phase === "waiting")],
      [
        "store_waits",
        "gauge",
        "Whether the store of the records does not answer.",
        Number(store === "waits"),
      ],
      [
        "missing_participants",
        "gauge",
        "Participants awaited before the start; later those that were missing at the deadline; at the end those for whom the curator stays.",
        phase === "registering" ? count("awaited") : missing.length,
      ],
      [
        "tasks_expected",
        "gauge",
        "Tasks that were to answer in the round closed last.",
        closed?.expected ?? 0,
      ],
      [
        "tasks_present",
        "gauge",
        "Tasks that answered in the round closed last.",
        closed?.present ?? 0,
      ],
      ["participants_finished", "gauge", "Participants that have their models.", count("finished")],
      ["participants_expelled", "gauge", "Participants that were expelled.", count("expelled")],
      ["clipped_total", "counter", "Vectors longer than K, clipped here.", this.#clipped],
    ]);
  }
}
