/**
 * Runs a participant's machine over a transport.
 * @module
 */
import { OptionError, type Core } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../../learning/index.js";
import type { Clock } from "../protocol/clock.js";
import { Driver } from "../protocol/driver.js";
import type { RunStore } from "../protocol/machine.js";
import type {
  ParticipantEffect,
  ParticipantEvent,
  ParticipantStatus,
} from "./participant-events.js";
import { ParticipantMachine } from "./participant-machine.js";
import type { Plan } from "../protocol/plan.js";
import type { ParticipantTransport } from "../protocol/transport.js";

/** What a participant runs on. */
export interface JoinRunOptions {
  readonly run: string;
  /** The name the transport vouches for. */
  readonly participant: string;
  /** Its tasks; or a function that makes them once the plan is known. */
  readonly data: TaskSet | ((plan: Plan) => TaskSet);
  readonly transport: ParticipantTransport;
  /** What the owner consents to for its tasks: one epsilon, or one by name; default the plan's, and at most that. */
  readonly epsilon?: number | Readonly<Record<string, number>>;
  /** Hash of the plan agreed on beforehand; another plan is refused. */
  readonly agreed?: string;
  /** Shows the plan and asks; without it and without `agreed` nothing is agreed to. */
  readonly decide?: (plan: Plan, hash: string) => boolean | Promise<boolean>;
  /**
   * Remembers what was agreed to and received: keep one, unless all is simulated. Without it a curator that lost its state
   * can have the budget spent again. Needed with an untrusted curator and secure sums. In Node `openRunFolder`, in a
   * page `openRunDatabase`.
   */
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
  /** Where tasks and models lie; default a core of its own. Simulations share one. */
  readonly core?: Core | undefined;
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
  const holds = store?.hold !== undefined;
  const machine = new ParticipantMachine({ ...options, records, holds });
  const driver = new Driver<ParticipantEvent, ParticipantEffect, FittedModel>({
    ...options,
    machine,
    perform: (effect) => {
      switch (effect.type) {
        case "send":
          driver.send(transport.send(effect.message));
          break;
        case "status":
          onStatus?.(effect.status);
          break;
        case "show":
          driver.wait(async () => {
            const agreed = await decide!(effect.plan, effect.hash);
            driver.post({ type: agreed ? "agree" : "decline" });
          });
          break;
        case "complete":
          driver.wait(async () => {
            const model = await machine.complete(signal);
            await onModel?.(model);
            driver.post({ type: "completed" });
          });
          break;
        case "end":
          driver.succeed(effect.model);
          break;
        case "fail":
          driver.fail(effect.error, true);
          break;
      }
    },
  });
  transport.listen({
    message: (message, scope) => driver.post({ type: "message", message, scope }),
    link: (state) => driver.post({ type: "link", state }),
  });
  return driver.done;
}
