/**
 * Runs the curator's machine over a transport and a store.
 * @module
 */
import { object } from "../../core/checks.js";
import type { Ledger } from "../../privacy/index.js";
import type { Clock } from "../protocol/machine/clock.js";
import { MemoryArchive, type BroadcastArchive } from "./rounds/broadcasts.js";
import type {
  CuratorEffect,
  CuratorEvent,
  CuratorResult,
  CuratorStatus,
} from "./events/curator-events.js";
import type { CuratorPatience } from "./patience.js";
import { CuratorMachine } from "./curator-machine.js";
import { Inflow } from "./inflow.js";
import { keptRecords } from "./kept-records.js";
import { Outbox } from "./outbox.js";
import { Driver, openOrClose } from "../protocol/machine/driver.js";
import type { RunStore } from "../protocol/machine/machine.js";
import type { CuratorTransport } from "../protocol/machine/transport.js";
import type { Plan } from "../protocol/plan/plan-form.js";

/** What the operator of a run may do while it goes on. */
export interface CuratorControl {
  /** Starts the run with those registered so far. */
  readonly begin: () => void;
  /** Goes on without a participant, for good: it is not waited for, and nothing is taken from it. */
  readonly expel: (participant: string) => void;
  /** What was charged so far; undefined before the start. */
  readonly ledger: () => Ledger | undefined;
}

/** What a curator runs on. */
export interface RunCuratorOptions {
  /** The plan; its hash is what everyone agrees to. */
  readonly plan: Plan;
  /** How messages come and go. */
  readonly transport: CuratorTransport;
  /** Keeps what a killed curator needs to go on; {@link RunStore}. */
  readonly store: RunStore;
  /** Default the host's. */
  readonly clock?: Clock;
  /** How long the curator waits for whom; default as {@link CuratorPatience} says of each field. */
  readonly patience?: Partial<CuratorPatience>;
  /** X25519 secret of the leader, which a plan with two aggregators needs and names the public half of. */
  readonly leaderKey?: Uint8Array | undefined;
  /** Where past broadcasts are put; default memory. `openBroadcastFile` of `mp-mtl/node` keeps them on disk. */
  readonly broadcasts?: BroadcastArchive;
  /**
   * Where releases of earlier processes are put while a curator that returns goes through them again; default memory. Closed
   * before the run goes on.
   */
  readonly releases?: BroadcastArchive;
  /** For the curator's eyes. */
  readonly onStatus?: (status: CuratorStatus) => void;
  /** Given what the operator may do. */
  readonly onReady?: (control: CuratorControl) => void;
  /** Stops the curator; the run can be taken up again from its store. */
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
  const { transport, onStatus, onReady } = object("options", options);
  object("transport", transport);
  const machine = await openOrClose(options, () => openMachine(options, newSession()));
  const outbox = new Outbox((to, message) => transport.send(to, message));
  const inflow = new Inflow();
  const driver = new Driver<CuratorEvent, CuratorEffect, CuratorResult>({
    ...options,
    machine: {
      handle(event) {
        if (event.type === "message") inflow.taken(event);
        return machine.handle(event);
      },
      dispose: () => machine.dispose(),
    },
    perform: (effect) => {
      switch (effect.type) {
        case "send":
          driver.send(
            outbox.send(effect.to, { bytes: effect.message.length, message: () => effect.message }),
          );
          break;
        case "repeat":
          driver.send(outbox.send(effect.to, effect));
          break;
        case "broadcast":
          driver.send(transport.broadcast(effect.message));
          break;
        case "status":
          onStatus?.(effect.status);
          break;
        case "end":
          driver.succeed(effect.result);
          break;
      }
    },
  });
  transport.listen({
    message: (from, message) => {
      if (inflow.admits({ from, message })) driver.post({ type: "message", from, message });
    },
    link: (state) => driver.post({ type: "link", state }),
  });
  onReady?.({
    begin: () => driver.post({ type: "begin" }),
    expel: (participant) => driver.post({ type: "expel", participant }),
    ledger: () => machine.ledger,
  });
  return driver.done;
}

/** A machine made of what earlier processes kept: a function of its own, so that nothing holds on to the records, which are as long as the run. */
async function openMachine(
  {
    plan,
    store,
    patience,
    leaderKey,
    broadcasts,
    releases = new MemoryArchive(),
  }: RunCuratorOptions,
  session: string,
): Promise<CuratorMachine> {
  try {
    object("plan", plan);
    const records = await keptRecords(store, releases);
    return new CuratorMachine({ plan, session, records, patience, broadcasts, leaderKey });
  } finally {
    releases.close();
  }
}

/** 32 random hexadecimal digits. */
function newSession(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
