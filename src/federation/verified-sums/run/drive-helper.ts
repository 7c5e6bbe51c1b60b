/**
 * Runs the helper's machine over a transport and a store.
 * @module
 */
import type { Ledger } from "../../../privacy/index.js";
import type { RunStore } from "../../protocol/machine/machine.js";
import { openOrClose } from "../../protocol/machine/driver.js";
import { driveParty, requireConsent, type PartyHost } from "../../protocol/party/party.js";
import {
  HelperMachine,
  type HelperEnd,
  type HelperMachineOptions,
  type HelperStatus,
} from "./helper-machine.js";

/** What a helper runs on. */
export interface RunHelperOptions
  extends Omit<HelperMachineOptions, "records" | "agreed" | "patient">, PartyHost<HelperStatus> {
  /** Keeps what was given out, and that nothing is given out twice: one for each run. In Node `openRunFolder`. */
  readonly store: RunStore;
}

/**
 * Helps the curator of a run with two aggregators, to the end.
 *
 * @returns the ledger of what the helper gave out; undefined if the run ended before anything was asked.
 * @throws OptionError if the plan is refused, declined, or knows another helper; DataError if the store is another run's; RunOverError if an
 *   earlier process gave every share and the curator has ended since; or the signal's reason: the store then has what is needed to go on.
 * @example
 * const ledger = await runHelper({ run: "trial", helper: "helper", key, transport, store, agreed });
 */
export async function runHelper(options: RunHelperOptions): Promise<Ledger | undefined> {
  requireConsent(options);
  const machine = await openOrClose(options, async () => {
    const records = await options.store.load();
    return new HelperMachine({ ...options, records });
  });
  return driveParty<never, HelperEnd, HelperStatus, Ledger | undefined>(
    machine,
    options,
    ({ ledger }, driver) => driver.succeed(ledger),
  );
}
