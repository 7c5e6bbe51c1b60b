/**
 * One ledger, one source of noise: a seeded release among secure ones can be subtracted by whoever has the
 * seed, and a ledger that held both would state a guarantee that no one has.
 * @module
 */
import { OptionError } from "../core/errors.js";
import type { Ledger } from "./ledger/ledger.js";
import type { NoiseSource } from "./ledger/ledger-entry.js";

/**
 * Refuses a ledger whose charges are of another source than those to come.
 *
 * @param where the ledger, for the message.
 * @param source of the noise to be drawn; undefined where the caller does not say.
 * @throws OptionError if they differ.
 */
export function requireNoiseSource(
  where: string,
  ledger: Pick<Ledger, "noiseSource">,
  source: NoiseSource | undefined,
): void {
  const begun = ledger.noiseSource;
  if (begun === source) return;
  throw new OptionError(
    begun === undefined
      ? `${where}: this ledger does not say where its noise came from, so its charges could be of seeded ` +
          "noise; begin another."
      : `${where}: this ledger is of ${begun} noise, this run of ${source ?? "unstated"} noise; whoever has a ` +
          "seed can subtract what was drawn from it. Go on as it was begun, or begin another.",
  );
}
