/**
 * What a statement in a file says of colluders beyond what its ledger bears out: that the curator is among those who learn no more, and
 * what is promised against other numbers of them.
 *
 * Who draws a share of the noise knows it. So a promise against the curator needs noise in shares, a promise from several shares is not
 * one against all others together, and k more colluders than were counted on leave k fewer shares.
 * @module
 */
import { epsilonOf } from "./accounting/account.js";
import type { PrivacyEvent } from "./events/event-kinds.js";
import { sharesOf, withShares } from "./noise-shares.js";

const MORE = "it promises more than its ledger paid for";

/** The fields of a statement, or of an owner's account, that say what holds against colluders. */
interface Stated {
  readonly kind?: unknown;
  readonly colluding?: unknown;
  readonly collusion?: unknown;
}

/** Releases as they move the unit that is spoken of, at the delta of the statement. */
interface Releases {
  readonly events: readonly PrivacyEvent[];
  readonly delta: number;
}

/**
 * What is wrong; undefined where nothing is.
 * @param atLeast whether a stated figure is not below a cost.
 */
export function colludersProblem(
  { kind, colluding, collusion }: Stated,
  releases: Releases,
  atLeast: (stated: unknown, cost: number) => boolean,
): string | undefined {
  const counts = releases.events.map(sharesOf);
  if (colluding === undefined && collusion === undefined) {
    // What a task releases to its own model says elsewhere whom that is against.
    const several = kind === "joint" && counts.some((count) => count !== undefined && count > 1);
    return several ? "colluding: its ledger's noise is in shares, which colluders know" : undefined;
  }
  // A task's own releases are drawn by itself alone.
  const shared = kind === "joint" ? counts : counts.filter((count) => count !== undefined);
  const [shares] = shared;
  if (!isCount(colluding) || shares === undefined || shared.some((count) => count !== shares)) {
    return "colluding: its ledger's noise is not in shares, each as often";
  }
  return collusionProblem(collusion, colluding + shares, releases, atLeast);
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/**
 * The same of a table for numbers of colluders.
 * @param all how many shares there are with those of the colluders.
 */
export function collusionProblem(
  table: unknown,
  all: number,
  { events, delta }: Releases,
  atLeast: (stated: unknown, cost: number) => boolean,
): string | undefined {
  if (table === undefined) return undefined;
  if (!Array.isArray(table)) return "collusion: expected a list";
  const isBorne = ({ colluding, honest, epsilon }: Partial<Record<string, unknown>>) =>
    isCount(colluding) &&
    isCount(honest) &&
    honest >= 1 &&
    honest <= Math.max(1, all - colluding) &&
    atLeast(epsilon, epsilonOf(withShares(events, honest), { delta }));
  const borne = (table as object[]).every((row) => isBorne({ ...row }));
  return borne ? undefined : `collusion: ${MORE}`;
}
