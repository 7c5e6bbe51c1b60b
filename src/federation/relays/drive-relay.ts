/**
 * Runs a relay's machine over a transport.
 * @module
 */
import { openOrClose } from "../protocol/machine/driver.js";
import { driveParty, requireConsent, type PartyHost } from "../protocol/party/party.js";
import {
  RelayMachine,
  type RelayEnd,
  type RelayMachineOptions,
  type RelayStatus,
} from "./relay-machine.js";

/** What a relay runs on: it needs no store. */
export interface RunRelayOptions
  extends Omit<RelayMachineOptions, "agreed" | "patient">, Omit<PartyHost<RelayStatus>, "store"> {}

/**
 * Relays for the participants of a run that have this relay in its plan, to the end of the run.
 *
 * @returns how many sums it passed on.
 * @throws OptionError if the plan is refused, declined, or knows no such relay; or the signal's reason: another process with the same
 *   options goes on.
 * @example
 * const sums = await runRelay({ run: "trial", relay: "site-a", transport, agreed });
 */
export async function runRelay(options: RunRelayOptions): Promise<number> {
  requireConsent(options);
  const machine = await openOrClose(options, () => new RelayMachine(options));
  return driveParty<never, RelayEnd, RelayStatus, number>(machine, options, ({ sums }, driver) =>
    driver.succeed(sums),
  );
}
