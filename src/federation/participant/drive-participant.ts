/**
 * Runs a participant's machine over a transport.
 * @module
 */
import type { Core } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { FittedModel } from "../../learning/index.js";
import type { RunStore } from "../protocol/machine/machine.js";
import { openOrClose } from "../protocol/machine/driver.js";
import { driveParty, requireConsent, type PartyHost } from "../protocol/party/party.js";
import type {
  OwnParticipantEffect,
  ParticipantEvent,
  ParticipantStatus,
} from "./participant-events.js";
import { ParticipantMachine } from "./participant-machine.js";
import type { Plan } from "../protocol/plan/plan-form.js";

/** What a participant runs on. */
export interface JoinRunOptions extends PartyHost<ParticipantStatus> {
  /** Name of the run, as the plan has it. */
  readonly run: string;
  /** The name the transport vouches for. */
  readonly participant: string;
  /** Its tasks; or a function that makes them once the plan is known, perhaps by reading a file in pieces. */
  readonly data: TaskSet | ((plan: Plan) => TaskSet | Promise<TaskSet>);
  /** What the owner consents to for its tasks: one epsilon, or one by name; default the plan's, and at most that. */
  readonly epsilon?: number | Readonly<Record<string, number>>;
  /**
   * Remembers what was agreed to and received: keep one, unless all is simulated. Without it a curator that lost its state
   * can have the budget spent again. Needed with an untrusted curator and secure sums. In Node `openRunFolder`, in a
   * page `openRunDatabase`.
   */
  readonly store?: RunStore;
  /**
   * A secret of the owner's, kept elsewhere than the store, by which the digests of its rows in there are keyed: a participant that comes
   * back with other rows is refused. With another secret they cannot be compared, which `onStatus` is told. Default none: then who reads the
   * store can test guesses of all rows of a task.
   */
  readonly rowsKey?: Uint8Array;
  /** Ed25519 secret of the participant's identity in a plan with secure aggregation, which needs it. */
  readonly identity?: Uint8Array;
  /** Milliseconds before it asks again what nobody answered; default 2 s, doubled a few times. */
  readonly retry?: number;
  /**
   * Keeps the models, before the curator is told that they are there: whoever is killed earlier joins
   * again and has them again. Whoever is killed later, and comes back when the curator has ended, gets a `RunOverError`.
   */
  readonly onModel?: (model: FittedModel) => void | Promise<void>;
  /** Where tasks and models lie; default a core of its own. Simulations share one. */
  readonly core?: Core | undefined;
}

/**
 * Takes part in a run with one or more tasks.
 *
 * @returns the participant's own models, with the guarantee.
 * @throws OptionError if the plan is refused or declined, DataError if the data does not suit it, RunOverError if an earlier process
 *   had the models and the curator has ended since, or the signal's reason.
 * @example
 * const model = await joinRun({ run: "schools-1", participant: "north", data, transport, agreed });
 */
export async function joinRun(options: JoinRunOptions): Promise<FittedModel> {
  requireConsent(options);
  const { store, onModel, signal } = options;
  const machine = await openOrClose(options, async () => {
    const records = await store?.load();
    return new ParticipantMachine({ ...options, records, holds: store?.hold !== undefined });
  });
  return driveParty<ParticipantEvent, OwnParticipantEffect, ParticipantStatus, FittedModel>(
    machine,
    options,
    (effect, driver) => {
      if (effect.type === "end") return driver.succeed(effect.model);
      if (effect.type === "read") {
        return driver.wait(async () => driver.post({ type: "read", tasks: await effect.tasks }));
      }
      driver.wait(async () => {
        const model = await machine.complete(signal);
        await onModel?.(model);
        driver.post({ type: "completed", kept: onModel !== undefined });
      });
    },
  );
}
