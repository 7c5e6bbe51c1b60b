/**
 * How many neighbours a participant of a large secure sum needs: the numbers of `ring.ts`, from those of the plan.
 *
 * n participants stand in a random order around a ring, each with k neighbours, k / 2 on either side; c of them collude, and
 * D more may drop out (or refuse), both sets being independent of the order. Any k / 2 places in a row are then a uniform
 * sample of the participants, as are any k + 1, so hypergeometric tails bound what is in one of them, and n times the tail
 * what is in the worst of the n. The least even k for which some threshold t' meets both
 *
 *   secrecy:     t' = k / 2 + x + 2, where more than x colluders stand in k / 2 places in a row with a probability of 2^-100
 *                at most: what the proof in `ring.ts` needs;
 *   liveness:    more than k + 1 - t' of any k + 1 places in a row are empty with a probability of 2^-40 at most in an attempt,
 *                else the secrets of one participant could be lost and with them the round. Wrong shares are not in it.
 *
 * Tails are compared as whole numbers, so everyone finds the same k.
 * @see Bell, Bonawitz, Gascón, Lepoint, Raykova (CCS 2020), sections 3 and 4, who bound the same two events.
 * @module
 */
import { integer, object } from "../../../core/checks.js";

/** A participant's neighbours in a ring. */
export interface RingSize {
  /** k, even: half of them on either side. */
  readonly neighbours: number;
  /** t', shares that give a secret back, of the k + 1 that its dealer and the dealer's neighbours hold. */
  readonly threshold: number;
}

/** What it follows from. */
export interface RingNumbers {
  /** n, participants of the plan. */
  readonly participants: number;
  /** c, of them in league with the curator. */
  readonly colluding: number;
  /** D, participants that may be missing at any step. */
  readonly dropOuts: number;
}

/** Secrecy fails with a probability of 2^-100 at most for one order. */
const SECRECY_BITS = 100;
/** A round is lost with a probability of 2^-40 at most while no more than D are missing. */
const LIVENESS_BITS = 40;

const known = new Map<string, RingSize | undefined>();

/**
 * The least ring; undefined if none is smaller than everyone with everyone.
 * @throws RangeError for what are no numbers of participants.
 * @example
 * ringSize({ participants: 1000, colluding: 10, dropOuts: 50 }); // { neighbours: 66, threshold: 45 }
 */
export function ringSize(numbers: RingNumbers): RingSize | undefined {
  const n = integer("participants", object("numbers", numbers).participants, 2, 2 ** 20);
  const colluding = integer("colluding", numbers.colluding, 0, n - 1);
  const dropOuts = integer("dropOuts", numbers.dropOuts, 0, n - 1);
  const key = [n, colluding, dropOuts].join();
  if (!known.has(key)) known.set(key, search(n, colluding, dropOuts));
  return known.get(key);
}

function search(n: number, colluding: number, dropOuts: number): RingSize | undefined {
  for (let half = 1; 2 * half < n - 1; half++) {
    const threshold = half + mostOf(n, colluding, half, SECRECY_BITS) + 2;
    const spare = 2 * half + 1 - threshold;
    if (spare >= 0 && mostOf(n, dropOuts, 2 * half + 1, LIVENESS_BITS) <= spare) {
      return { neighbours: 2 * half, threshold };
    }
  }
  return undefined;
}

/** The least x with n P[X > x] <= 2^-bits, X being how many of `marked` among n are in a uniform sample. */
export function mostOf(n: number, marked: number, sample: number, bits: number): number {
  const least = Math.max(0, sample - (n - marked));
  const most = Math.min(marked, sample);
  const all = choose(n, sample);
  const scale = BigInt(n) << BigInt(bits);
  /** Samples with x marked ones, and with more. */
  let exactly = choose(marked, most) * choose(n - marked, sample - most);
  let more = 0n;
  for (let x = most; x > least; x--) {
    more += exactly;
    if (more * scale > all) return x;
    const [up, down] = [x * (n - marked - sample + x), (marked - x + 1) * (sample - x + 1)];
    exactly = (exactly * BigInt(up)) / BigInt(down);
  }
  return least;
}

function choose(n: number, k: number): bigint {
  let ways = 1n;
  for (let i = 1; i <= k; i++) ways = (ways * BigInt(n - k + i)) / BigInt(i);
  return ways;
}
