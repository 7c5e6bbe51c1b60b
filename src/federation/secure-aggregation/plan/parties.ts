/**
 * Who must take part and who may be dishonest: the numbers on which secrecy rests.
 *
 * n participants of the plan, threshold t, at most c of them in league with the curator. Required:
 *
 *   t <= n,  t - c >= 1,  2 t > n + c.
 *
 * The last makes it impossible to collect t answers of one kind and t of another about the same thing:
 * n - c honest participants answer each question once, the c others both ways, (n - c) + 2 c < 2 t. So
 * nobody gets t shares of both secrets of a participant, or two attempts of one round opened: shares are shown once a round, which is kept
 * durably. At least t - c honest participants are in every sum that is opened. Among neighbours in a ring secrets need fewer
 * shares, and `ring.ts` has what takes the place of this.
 * @see Bonawitz et al. (2017), section 6.2.
 * @module
 */
import { integer } from "../../../core/checks.js";
import { ringSize, type RingSize } from "./ring-size.js";

/** The numbers, as a plan states them. */
export interface PartyOptions {
  /** n >= 2, all participants of the plan. */
  readonly participants: number;
  /** t; default floor(2 n / 3) + 1. More tolerates more colluders, less tolerates more drop-outs. */
  readonly threshold?: number;
  /** c >= 0, participants that may collude with the curator and each other. */
  readonly colluding: number;
  /**
   * D >= 0, participants that may be missing at any step: then everyone has k neighbours in a ring instead of all others
   * (`ring-size.ts`). Without it all are neighbours, and n - t may be missing.
   */
  readonly dropOuts?: number | undefined;
}

/** Checked numbers. */
export interface Parties {
  readonly participants: number;
  readonly threshold: number;
  readonly colluding: number;
  /** t - c: honest participants in every sum that is opened. */
  readonly honest: number;
  /** Neighbours in a ring; null: everyone is everyone's. */
  readonly ring: RingSize | null;
  /** Colluders up to which the curator learns sums alone: c in a ring, else 2 t - n - 1. */
  readonly tolerated: number;
}

/** t, where a plan does not say. */
export const defaultThreshold = (participants: number): number =>
  Math.floor((2 * participants) / 3) + 1;

/** @throws RangeError that says which numbers would do. */
export function parties(options: PartyOptions): Parties {
  const n = integer("participants", options.participants, 2, 2 ** 20);
  const threshold = integer("threshold", options.threshold ?? defaultThreshold(n), 1, n);
  const colluding = integer("colluding", options.colluding, 0, n - 1);
  if (2 * threshold <= n + colluding) {
    throw new RangeError(
      `threshold: expected 2 threshold > participants + colluding = ${n + colluding}, got ` +
        `${threshold}; with fewer, a curator could collect both secrets of one participant. Give ` +
        `${Math.floor((n + colluding) / 2) + 1} or more, or fewer colluding`,
    );
  }
  const numbers = { participants: n, threshold, colluding, honest: threshold - colluding };
  const { dropOuts } = options;
  if (dropOuts === undefined) return { ...numbers, ring: null, tolerated: 2 * threshold - n - 1 };
  integer("dropOuts", dropOuts, 0, n - threshold);
  const ring = ringSize({ participants: n, colluding, dropOuts });
  if (ring) return { ...numbers, ring, tolerated: colluding };
  throw new RangeError(
    `dropOuts: no ring of neighbours bears ${colluding} colluding and ${dropOuts} missing of ${n} participants; ` +
      `leave dropOuts out, so that everyone is everyone's neighbour, or give fewer`,
  );
}
