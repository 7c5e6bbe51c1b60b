/**
 * Whether a stored ledger is the one asked for.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import type { Ledger } from "../../privacy/ledger/ledger.js";
import { requireNoiseSource } from "../../privacy/noise-source.js";
import type { LedgerOptions } from "../../privacy/ledger/ledger-entry.js";

/**
 * @param place names the ledger in errors.
 * @throws OptionError if it is of another budget, adjacency, plan or source of noise.
 */
export function requireSameLedger(place: string, ledger: Ledger, options: LedgerOptions): void {
  requireNoiseSource(place, ledger, options.noiseSource);
  // What is not said cannot differ: an older ledger has no unit.
  const { unit = ledger.unit } = options;
  const asked = { ...options, unit: ledger.unit && unit };
  const differs = (["epsilon", "delta", "adjacency", "unit"] as const).find(
    (field) => ledger[field] !== asked[field],
  );
  const plan = JSON.stringify(ledger.plan) !== JSON.stringify(options.plan);
  if (differs === undefined && !plan) return;
  throw new OptionError(
    differs === undefined
      ? `${place}: this ledger is for another plan of releases; use another folder.`
      : `${place}: this ledger has ${differs} ${ledger[differs]}, asked for ${String(options[differs])}; use another folder.`,
  );
}
