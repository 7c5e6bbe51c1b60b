/**
 * Who is let in: participants that register before the start, and those that come after it.
 * @module
 */
import type { Refusal } from "../protocol/refusal-reasons.js";
import type { RegisteredTask } from "../protocol/messages.js";
import type { CuratorOutput } from "./curator-output.js";
import type { Registry } from "./registry.js";
import type { Stopping } from "./who-stops.js";

/** Answers participants that register. */
export class Admission {
  readonly #registry: Registry;
  readonly #output: CuratorOutput;

  constructor(registry: Registry, output: CuratorOutput) {
    this.#registry = registry;
    this.#output = output;
  }

  /** Before the start. */
  register(from: string, tasks: readonly RegisteredTask[]): void {
    const before = this.#registry.same(from, tasks);
    const refusal = this.#registry.register(from, tasks);
    if (refusal) {
      this.#refuse(from, refusal, tasks);
      return;
    }
    this.#output.tell(from, { type: "registered" });
    // Who waits asks again and again.
    if (!before) {
      this.#output.status({ kind: "registered", participant: from, tasks: tasks.length });
    }
  }

  /** Of a task that is another's the operator learns whose: one of the two it may want to expel. */
  #refuse(from: string, refusal: Refusal, tasks: readonly RegisteredTask[]): void {
    const taken = refusal === "task-taken" ? this.#registry.taken(from, tasks) : undefined;
    this.#output.refuse(
      from,
      refusal,
      taken && `: ${JSON.stringify(taken.task)} is ${taken.holder}'s`,
    );
  }

  /** Before the start: who would stop the run for all. Its tasks are free again. */
  refuse({ participants, reason }: Stopping): void {
    for (const participant of participants) {
      this.#registry.leave(participant, true);
      this.#output.refuse(participant, reason);
    }
  }

  /**
   * After the start: who is back, and who comes late into places that the plan keeps. That is kept before it is told where it stands.
   * @param over whether the last round was published.
   * @returns whether it takes part.
   */
  join(from: string, tasks: readonly RegisteredTask[], over: boolean): boolean {
    if (this.#registry.same(from, tasks)) return true;
    const joined = over ? "already-started" : this.#registry.join(from, tasks);
    if (typeof joined === "string") this.#refuse(from, joined, tasks);
    else {
      this.#output.keep({ type: "joined", member: joined });
      this.#output.status({ kind: "joined", participant: from, tasks: tasks.length });
    }
    return typeof joined !== "string";
  }
}
