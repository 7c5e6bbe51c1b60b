/**
 * Whether a stored ledger is the one asked for.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import { checkedEvents } from "../events/checked-event.js";
import type { PrivacyEvent } from "../events/event-kinds.js";
import { sameEvent } from "../events/parse-event.js";
import { requireNoiseSource } from "../noise-source.js";
import type { Ledger } from "./ledger.js";
import type { LedgerOptions } from "./ledger-entry.js";
import { checkedTerms, termsProblem } from "./ledger-terms.js";

/**
 * @param place names the ledger in errors.
 * @throws OptionError if it is of another budget, adjacency, unit, plan, terms or source of noise.
 */
export function requireSameLedger(place: string, ledger: Ledger, options: LedgerOptions): void {
  requireNoiseSource(place, ledger, options.noiseSource);
  // What is not said cannot differ: an older ledger has no unit.
  const unit = ledger.unit && (options.unit ?? ledger.unit);
  const asked = { ...options, nominal: options.nominal ?? false, unit };
  const differs = (["epsilon", "delta", "adjacency", "unit", "nominal"] as const).find(
    (field) => ledger[field] !== asked[field],
  );
  const plan = options.plan && checkedEvents(options.plan);
  const what =
    differs === undefined
      ? samePlan(ledger.plan, plan)
        ? termsProblem(ledger.terms, options.terms && checkedTerms(options.terms))
        : "is for another plan of releases"
      : `has ${differs} ${ledger[differs]}, asked for ${asked[differs]}`;
  if (what === undefined) return;
  throw new OptionError(`${place}: this ledger ${what}; begin another.`);
}

type Releases = readonly PrivacyEvent[] | undefined;

const samePlan = (one: Releases, other: Releases): boolean =>
  one?.length === other?.length && (one ?? []).every((event, k) => sameEvent(event, other![k]!));
