/**
 * Runs a machine over a transport, a clock and a store: the one place where effects happen.
 * @module
 */
import { OptionError } from "../core/index.js";
import type { TaskSet } from "../data/index.js";
import type { FittedModel } from "../learning/index.js";
import { realClock, type Clock } from "./clock.js";
import {
  type CuratorEffect,
  type CuratorEvent,
  type CuratorPatience,
  type CuratorResult,
  type CuratorStatus,
} from "./curator-events.js";
import { CuratorMachine } from "./curator-machine.js";
import type { RunStore } from "./machine.js";
import type {
  ParticipantEffect,
  ParticipantEvent,
  ParticipantStatus,
} from "./participant-events.js";
import { ParticipantMachine } from "./participant-machine.js";
import type { Plan } from "./plan.js";
import type { CuratorTransport, ParticipantTransport } from "./transport.js";

/** What a curator runs on. */
export interface RunCuratorOptions {
  readonly plan: Plan;
  readonly transport: CuratorTransport;
  /** Keeps what a killed curator needs to go on; {@link RunStore}. */
  readonly store: RunStore;
  /** Default the host's. */
  readonly clock?: Clock;
  readonly patience?: Partial<CuratorPatience>;
  /** For the curator's eyes. */
  readonly onStatus?: (status: CuratorStatus) => void;
  /** Given a function that starts the run with those registered so far. */
  readonly onReady?: (control: { readonly begin: () => void }) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs the curator's half to the end, or goes on where a killed one stopped.
 *
 * @returns the guarantee, the ledger and the history; a curator has no models.
 * @throws DataError if the store is another plan's, BudgetExceededError if the plan does not fit, or
 *   the signal's reason; the store then has what is needed to go on.
 * @example await runCurator({ plan, transport: network.curator(), store: new MemoryStore() });
 */
export async function runCurator(options: RunCuratorOptions): Promise<CuratorResult> {
  const { plan, transport, store, patience, onStatus, onReady, signal } = options;
  const machine = new CuratorMachine(plan, newSession(), await store.load(), patience);
  return new Promise<CuratorResult>((resolve, reject) => {
    const driver = new Driver<CuratorEvent, CuratorEffect>({
      clock: options.clock ?? realClock,
      store,
      handle: (event) => machine.handle(event),
      perform: (effect) => {
        switch (effect.type) {
          case "send":
            driver.send(transport.send(effect.to, effect.message));
            break;
          case "broadcast":
            driver.send(transport.broadcast(effect.message));
            break;
          case "status":
            onStatus?.(effect.status);
            break;
          case "end":
            void driver.close(transport).then(() => resolve(effect.result), reject);
            break;
        }
      },
      dispose: () => machine.dispose(),
      failed: (error) => void driver.close(transport, false).finally(() => reject(error)),
      signal,
    });
    transport.listen({
      message: (from, message) => driver.post({ type: "message", from, message }),
      link: (state) => driver.post({ type: "link", state }),
    });
    onReady?.({ begin: () => driver.post({ type: "begin" }) });
  });
}

/** What a participant runs on. */
export interface JoinRunOptions {
  readonly run: string;
  /** The name the transport vouches for. */
  readonly participant: string;
  /** Its tasks; or a function that makes them once the plan is known. */
  readonly data: TaskSet | ((plan: Plan) => TaskSet);
  readonly transport: ParticipantTransport;
  /** Hash of the plan agreed on beforehand; another plan is refused. */
  readonly agreed?: string;
  /** Shows the plan and asks; without it and without `agreed` nothing is agreed to. */
  readonly decide?: (plan: Plan, hash: string) => boolean | Promise<boolean>;
  /** Needed with an untrusted curator and secure sums; else it guards against joining a run twice. */
  readonly store?: RunStore;
  /** Ed25519 secret of the participant's identity in a plan with secure aggregation, which needs it. */
  readonly identity?: Uint8Array;
  readonly clock?: Clock;
  readonly retry?: number;
  /**
   * Keeps the models, before the curator is told that they are there: whoever is killed earlier joins
   * again and has them again.
   */
  readonly onModel?: (model: FittedModel) => void | Promise<void>;
  /** For the owner of the data. */
  readonly onStatus?: (status: ParticipantStatus) => void;
  readonly signal?: AbortSignal;
}

/**
 * Takes part in a run with one or more tasks.
 *
 * @returns the participant's own models, with the guarantee.
 * @throws OptionError if the plan is refused or declined, DataError if the data does not suit it, or
 *   the signal's reason.
 * @example
 * const model = await joinRun({ run: "schools-1", participant: "north", data, transport, agreed });
 */
export async function joinRun(options: JoinRunOptions): Promise<FittedModel> {
  const { transport, store, agreed, decide, onModel, onStatus, signal } = options;
  if (agreed === undefined && !decide) {
    throw new OptionError("agreed: give the hash of the plan agreed on, or a function `decide`");
  }
  const records = await store?.load();
  const machine = new ParticipantMachine({ ...options, records });
  return new Promise<FittedModel>((resolve, reject) => {
    const driver = new Driver<ParticipantEvent, ParticipantEffect>({
      clock: options.clock ?? realClock,
      store,
      handle: (event) => machine.handle(event),
      perform: (effect) => {
        switch (effect.type) {
          case "send":
            driver.send(transport.send(effect.message));
            break;
          case "status":
            onStatus?.(effect.status);
            break;
          case "show":
            void driver.wait(async () => {
              const agreed = await decide!(effect.plan, effect.hash);
              driver.post({ type: agreed ? "agree" : "decline" });
            });
            break;
          case "complete":
            void driver.wait(async () => {
              const model = await machine.complete(signal);
              await onModel?.(model);
              driver.post({ type: "completed" });
            });
            break;
          case "end":
            void driver.close(transport).then(() => resolve(effect.model), reject);
            break;
          case "fail":
            void driver.close(transport).finally(() => reject(effect.error));
            break;
        }
      },
      dispose: () => machine.dispose(),
      failed: (error) => void driver.close(transport, false).finally(() => reject(error)),
      signal,
    });
    transport.listen({
      message: (message, scope) => driver.post({ type: "message", message, scope }),
      link: (state) => driver.post({ type: "link", state }),
    });
  });
}

/** 32 random hexadecimal digits. */
function newSession(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface DriverOptions<Event, Effect> {
  readonly clock: Clock;
  readonly store: RunStore | undefined;
  handle(event: Event): Effect[];
  /** Everything but `append`, `timer` and `cancel`. */
  perform(effect: Effect): void;
  dispose(): void;
  failed(error: unknown): void;
  readonly signal: AbortSignal | undefined;
}

type Common =
  | { type: "append"; record: Uint8Array }
  | { type: "timer"; name: string; milliseconds: number }
  | { type: "cancel"; name: string };

/** Feeds events one at a time and carries effects out in order, waiting for what must be durable. */
class Driver<Event, Effect extends { readonly type: string }> {
  readonly #options: DriverOptions<Event, Effect>;
  #events: Event[] = [];
  readonly #timers = new Map<string, () => void>();
  readonly #sending = new Set<Promise<unknown>>();
  #busy = false;
  #closed = false;
  readonly #abort = () => this.#fail(this.#options.signal!.reason);

  constructor(options: DriverOptions<Event, Effect>) {
    this.#options = options;
    const { signal } = options;
    if (signal?.aborted) queueMicrotask(this.#abort);
    else signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** Takes an event; it is handled after those before it. */
  post(event: Event): void {
    if (this.#closed) return;
    this.#events.push(event);
    if (!this.#busy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    try {
      while (this.#events.length > 0) {
        // In batches: taking the first of ten thousand one by one would move the rest each time.
        const batch = this.#events;
        this.#events = [];
        for (const event of batch) {
          if (this.#closed) return;
          await this.#handle(event);
        }
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#busy = false;
    }
  }

  async #handle(event: Event): Promise<void> {
    for (const effect of this.#options.handle(event)) {
      const kept = this.#carryOut(effect);
      if (kept) await kept;
      if (this.#closed) return;
    }
  }

  #carryOut(effect: Effect): Promise<void> | undefined {
    const common = effect as unknown as Common;
    switch (common.type) {
      case "append":
        return this.#options.store?.append(common.record);
      case "timer":
        this.#timers.get(common.name)?.();
        this.#timers.set(common.name, this.#after(common.name, common.milliseconds));
        return undefined;
      case "cancel":
        this.#timers.get(common.name)?.();
        this.#timers.delete(common.name);
        return undefined;
      default:
        this.#options.perform(effect);
        return undefined;
    }
  }

  #after(name: string, milliseconds: number): () => void {
    return this.#options.clock.after(milliseconds, () => {
      this.#timers.delete(name);
      this.post({ type: "timer", name } as Event);
    });
  }

  /** A message on its way. One that could not be sent counts as lost: the machines say things again. */
  send(sending: Promise<void>): void {
    const settled = sending.catch(() => undefined).finally(() => this.#sending.delete(settled));
    this.#sending.add(settled);
  }

  /** Work whose failure is the run's. */
  async wait(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (!this.#closed) this.#options.failed(error);
  }

  /** Lets what was said go out (unless all has failed), then lets go of everything. */
  async close(transport: { close(): Promise<void> }, flush = true): Promise<void> {
    this.#closed = true;
    this.#options.signal?.removeEventListener("abort", this.#abort);
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    if (flush) await Promise.all(this.#sending);
    await transport.close();
    await this.#options.store?.close();
    this.#options.dispose();
  }
}
