/**
 * How many attempts there are at one round's sum: parties keep a record of each, and whoever leads names as many as it likes.
 * @module
 */
import { HostError } from "../../../core/errors.js";

/** Parties heed no attempt beyond; at one a minute a week of them. */
export const MOST_ATTEMPTS = 10_000;

/**
 * A number never used before, and from now on used.
 * @param used the last attempt at each round.
 * @throws HostError after the last one.
 */
export function nextAttempt(used: Map<number, number>, round: number): number {
  const attempt = (used.get(round) ?? 0) + 1;
  if (attempt <= MOST_ATTEMPTS) {
    used.set(round, attempt);
    return attempt;
  }
  throw new HostError(
    `round ${round}: ${MOST_ATTEMPTS} attempts at its sum failed, and nobody takes part in more; end what made the last ones ` +
      "fail, and start a run of another name.",
  );
}
