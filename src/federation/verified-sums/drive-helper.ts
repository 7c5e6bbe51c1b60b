/**
 * Runs the helper's machine over a transport and a store.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import type { Ledger } from "../../privacy/index.js";
import type { Clock } from "../protocol/clock.js";
import { Driver } from "../protocol/driver.js";
import type { RunStore } from "../protocol/machine.js";
import type { Plan } from "../protocol/plan.js";
import type { ParticipantTransport } from "../protocol/transport.js";
import {
  HelperMachine,
  type HelperEffect,
  type HelperEvent,
  type HelperMachineOptions,
  type HelperStatus,
} from "./helper-machine.js";

/** What a helper runs on. */
export interface RunHelperOptions extends Omit<HelperMachineOptions, "records"> {
  /** As a participant's, under the helper's name. */
  readonly transport: ParticipantTransport;
  /** Keeps what was given out, and that nothing is given out twice: one for each run. In Node `openRunFolder`. */
  readonly store: RunStore;
  /** Shows the plan and asks; without it and without `agreed` nothing is agreed to. */
  readonly decide?: (plan: Plan, hash: string) => boolean | Promise<boolean>;
  /** Default the host's. */
  readonly clock?: Clock;
  /** For the helper's operator. */
  readonly onStatus?: (status: HelperStatus) => void;
  readonly signal?: AbortSignal;
}

/**
 * Helps the curator of a run with two aggregators, to the end.
 *
 * @returns the ledger of what the helper gave out; undefined if the run ended before anything was asked.
 * @throws OptionError if the plan is refused, declined, or knows another helper; DataError if the store is another run's; or the
 *   signal's reason: the store then has what is needed to go on.
 * @example
 * const ledger = await runHelper({ run: "trial", helper: "helper", key, transport, store, agreed });
 */
export async function runHelper(options: RunHelperOptions): Promise<Ledger | undefined> {
  const { transport, store, agreed, decide, onStatus } = options;
  if (agreed === undefined && !decide) {
    throw new OptionError("agreed: give the hash of the plan agreed on, or a function `decide`");
  }
  const machine = new HelperMachine({ ...options, records: await store.load() });
  const driver = new Driver<HelperEvent, HelperEffect, Ledger | undefined>({
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
        case "end":
          driver.succeed(effect.ledger);
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
