/**
 * Runs a machine over a transport, a clock and a store: the one place where effects happen.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import { unlessAborted } from "../../../core/unless-aborted.js";
import { realClock, type Clock } from "./clock.js";
import type { RunStore } from "./machine.js";
import { Waits } from "./waits.js";

/** What a machine runs on. */
interface DriverOptions<Event, Effect> {
  readonly machine: { handle(event: Event): Effect[]; dispose(): void };
  readonly transport: { close(): Promise<void> };
  /** Default the host's. */
  readonly clock?: Clock | undefined;
  readonly store?: RunStore | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Everything but records and timers. */
  perform(effect: Effect): void;
}

/** Opens a machine; where that fails, or is given up, transport and store are closed, as a machine's end closes them. */
export async function openOrClose<Machine extends { dispose(): void }>(
  { transport, store, signal }: Pick<DriverOptions<never, never>, "transport" | "store" | "signal">,
  open: () => Machine | Promise<Machine>,
): Promise<Machine> {
  const opening = new Promise<Machine>((resolve) => resolve(open()));
  try {
    return await unlessAborted(opening, signal);
  } catch (error) {
    // A store that did not answer may do so yet.
    opening.then(
      (machine) => machine.dispose(),
      () => undefined,
    );
    await closeBoth(transport, store).catch(() => undefined);
    throw error;
  }
}

/** Closes the transport and then the store, this also where the transport cannot be closed. */
async function closeBoth(
  transport: { close(): Promise<void> },
  store: RunStore | undefined,
): Promise<void> {
  try {
    await transport.close();
  } finally {
    await store?.close();
  }
}

type Common =
  | { type: "append"; record: Uint8Array }
  | { type: "hold"; record: Uint8Array | null }
  | { type: "confirm" }
  | { type: "timer"; name: string; milliseconds: number }
  | { type: "cancel" | "pause" | "resume"; name: string };

/** First in, first out: taking the first of ten thousand does not move the rest. */
class Queue<Item> {
  #items: Item[] = [];
  #taken = 0;

  push(item: Item): void {
    this.#items.push(item);
  }

  take(): Item | undefined {
    if (this.#taken === this.#items.length) {
      this.#items = [];
      this.#taken = 0;
      return undefined;
    }
    return this.#items[this.#taken++];
  }
}

/** Feeds events one at a time and carries effects out in order, waiting for what must be durable. */
export class Driver<Event, Effect extends { readonly type: string }, Result> {
  /** The run's result, once its effects are carried out and the transport and store are closed. */
  readonly done: Promise<Result>;
  readonly #options: DriverOptions<Event, Effect>;
  readonly #events = new Queue<Event>();
  readonly #effects = new Queue<Effect>();
  readonly #waits: Waits<Event>;
  readonly #sending = new Set<Promise<unknown>>();
  #busy = false;
  #closed = false;
  #resolve!: (result: Result) => void;
  #reject!: (error: unknown) => void;
  readonly #abort = () => this.fail(this.#options.signal!.reason);

  constructor(options: DriverOptions<Event, Effect>) {
    this.#options = options;
    this.#waits = new Waits(options.clock ?? realClock, (event) => this.post(event));
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { signal } = options;
    if (signal?.aborted) queueMicrotask(this.#abort);
    else signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** Takes an event; it is handled after those before it, and at once if there are none. */
  post(event: Event): void {
    if (this.#closed) return;
    this.#events.push(event);
    if (!this.#busy) this.#work();
  }

  /** Carries out effects until there are none, or one must first become durable. */
  #work(): void {
    this.#busy = true;
    try {
      for (let effect = this.#next(); effect; effect = this.#next()) {
        const kept = this.#carryOut(effect);
        if (!kept) continue;
        kept.then(
          () => this.#work(),
          (error: unknown) => this.fail(error),
        );
        return;
      }
    } catch (error) {
      this.fail(error);
    }
    this.#busy = false;
  }

  /** The next effect of the events so far, which are handled when it is their turn. */
  #next(): Effect | undefined {
    while (!this.#closed) {
      const effect = this.#effects.take();
      if (effect) return effect;
      const event = this.#events.take();
      if (!event) return undefined;
      if (!this.#stands(event)) continue;
      for (const following of this.#options.machine.handle(event)) this.#effects.push(following);
    }
    return undefined;
  }

  /** Whether an event is still to be handled. */
  #stands(event: Event): boolean {
    const { type, name } = event as { readonly type?: unknown; readonly name?: string };
    return type !== "timer" || this.#waits.stands(name!, event);
  }

  #carryOut(effect: Effect): Promise<void> | undefined {
    const common = effect as unknown as Common;
    switch (common.type) {
      case "append":
        return this.#options.store?.append(common.record);
      case "hold":
        return this.#hold(common.record);
      case "confirm":
        return this.#options.store?.confirm?.();
      case "timer":
        this.#waits.start(common.name, common.milliseconds);
        return undefined;
      case "cancel":
      case "pause":
      case "resume":
        this.#waits[common.type](common.name);
        return undefined;
      default:
        this.#options.perform(effect);
        return undefined;
    }
  }

  /** Refuses where nothing can be held: what comes next must not be sent then. */
  #hold(record: Uint8Array | null): Promise<void> {
    const { store } = this.#options;
    if (!store?.hold) throw new OptionError("store: it cannot hold what is wiped later");
    return store.hold(record);
  }

  /** A message on its way. One that could not be sent counts as lost: the machines say things again. */
  send(sending: Promise<void>): void {
    const settled = sending.catch(() => undefined).finally(() => this.#sending.delete(settled));
    this.#sending.add(settled);
  }

  /** Work beside the machine; its failure is the run's. */
  wait(work: () => Promise<void>): void {
    const { clock } = this.#options;
    const done = clock?.during ? clock.during(work) : work();
    done.catch((error: unknown) => this.fail(error));
  }

  succeed(result: Result): void {
    this.#close(true).then(() => this.#resolve(result), this.#reject);
  }

  /** @param flush whether what was said before goes out first. */
  fail(error: unknown, flush = false): void {
    if (this.#closed) return;
    const reject = () => this.#reject(error);
    this.#close(flush).then(reject, reject);
  }

  async #close(flush: boolean): Promise<void> {
    const { signal, store, transport, machine } = this.#options;
    this.#closed = true;
    signal?.removeEventListener("abort", this.#abort);
    this.#waits.close();
    try {
      if (flush) await Promise.all(this.#sending);
      await closeBoth(transport, store);
    } finally {
      machine.dispose();
    }
  }
}
