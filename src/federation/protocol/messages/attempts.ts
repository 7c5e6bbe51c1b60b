/**
 * How many attempts there are at one round's sum: parties keep a record of each, and whoever leads names as many as it likes.
 * @module
 */

/** Parties heed no attempt beyond; at one a minute a week of them. */
export const MOST_ATTEMPTS = 10_000;
