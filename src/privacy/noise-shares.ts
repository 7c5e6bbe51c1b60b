/**
 * Noise that participants draw in shares: the same releases where another number of shares is left, because colluders know theirs.
 * @module
 */
import type { PrivacyEvent } from "./events/event-kinds.js";

/** How many shares a release's noise is of; undefined where nobody draws shares. */
export const sharesOf = (event: PrivacyEvent): number | undefined =>
  event.kind === "discrete-gaussian" ? event.shares : undefined;

/**
 * The same releases with another number of shares. Equal events stay one object: accountants count them.
 * @throws RangeError for noise that is not in shares.
 */
export function withShares(events: readonly PrivacyEvent[], honest: number): PrivacyEvent[] {
  const made = new Map<PrivacyEvent, PrivacyEvent>();
  return events.map((event) => {
    if (event.kind !== "discrete-gaussian" || event.shares === undefined) {
      throw new RangeError(`events: expected noise in shares, got a ${event.kind} event`);
    }
    const known = made.get(event);
    if (known) return known;
    // One part in 2^50 against us, for the square root.
    const sigma = event.sigma * Math.sqrt(honest / event.shares) * (1 - 2 ** -50);
    const changed = { ...event, shares: honest, sigma };
    made.set(event, changed);
    return changed;
  });
}
