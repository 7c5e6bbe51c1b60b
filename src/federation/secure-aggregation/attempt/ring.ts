/**
 * Neighbours of a large secure sum: k of them instead of everyone, so that a participant's masks and shares do not grow with n.
 *
 * Every attempt puts the participants around a ring in an order of its own, uniform to whoever does not choose it: a shuffle by
 * ChaCha20 under a hash of the session. Neighbours are the k / 2 on either side; a secret is shared among its dealer and these,
 * and t' shares give it back.
 *
 * THEOREM. Let no k / 2 places in a row hold more than x colluders, and t' >= k / 2 + x + 2. Then of the honest participants in
 * an opened sum the curator and the colluders learn that sum alone, as in the complete graph, whatever they do after they saw
 * the order.
 *
 * PROOF. An honest participant takes part in an attempt once, restarts or not (`sum-attempts.ts`), and so consents to one pair of sets
 * (dealers, included); 2 t > n + c leaves one pair that t participants consent to, and honest ones, R, show shares for that pair
 * alone, each after it has checked that the dealers among its neighbours are those whose shares it got. Let H hold R and be the
 * honest participants whose integers are in the sum.
 * (1) k neighbours hold at most 2 x <= k / 2 + x < t' colluders. So of a participant of H nobody learns the mask key, of which
 * honest holders show nothing, and of an honest dealer outside the sum nobody learns the seed.
 * (2) Neighbours in H of which one is in R: that one put their mask under its integers. If the other did, too, the mask cancels
 * in the sum of both, and they are joined. If not, the mask stays under the integers of the one that did, which are uniform.
 * (2') An honest u outside R whose seed comes out is joined to at least three of R. It took t' - 1 dealers or more (`openShares`), and
 * t' or more of its neighbours, colluders among them, show shares of its seed: k + 2 x + 3 among k neighbours, so 2 x + 3 are both, of
 * which at most 2 x collude. So masks that are half there only add what is uniform.
 * (3) Let v be in R, and none of the k / 2 places to its right hold anyone of R. Its seed's shares are shown by itself, by at
 * most k / 2 on its left, and by at most x colluders on its right: fewer than t'. So its own mask stays.
 * (4) Let v be in H with no neighbour in R and not in R itself: at most 2 x < t' shares of its seed are shown, its own mask stays.
 * (5) If R has no gap of k / 2 places, neighbours in R are joined around the ring and everyone else in H is joined to one of
 * them: H is connected, and masks of pairs leave of its integers their sum. If it has gaps, every component of H holds either
 * a v as in (3), at the right end of its part of R, or consists of one as in (4): under a mask of its own each is uniform.
 * (6) One attempt of a round is opened. Let a sum be opened: R has no gap of k / 2, and from each of R there is a last one of R within
 * k / 2 to its right; follow these around. Say the i-th step is d_i places, with p_i of R and g_i colluders on the way. The seed of
 * the i+1-th comes out by at least t' shares: 1 + (p_i + g_i + k / 2 - d_i) + (p_{i+1} + x) >= t', so p_i + p_{i+1} + g_i > d_i. The
 * steps come back to where one began after W rounds and J steps: 2 W |R| + W c >= W n + J. So more than (n - c) / 2 honest
 * participants show shares, each for one attempt of a round, which is kept durably, and two attempts would need more than there are. QED
 *
 * For one order, k / 2 places in a row hold more than x colluders with a probability of 2^-100 at most (`ring-size.ts`), for
 * colluders fixed before the session. But the curator chooses sessions and numbers of attempts, and may look for a bad order: for G
 * orders that it tries, over all rounds and runs, the chance is G 2^-100, 2^-40 for 2^60 hashes. It is not in the guarantee's
 * delta. What such a one would see is what too many colluders see in the complete graph: integers of single
 * participants under their own share of noise, the last row of the table of colluders.
 * @see Bell et al. (CCS 2020): a ring in random order (Harary graph). There neighbours alone consent, which leaves a malicious
 *   curator sums of disjoint parts; here t participants do, so there is one sum, for t signature checks a participant.
 * @module
 */
import { chacha20 } from "@noble/ciphers/chacha.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Parties } from "../plan/parties.js";
import type { RingSize } from "../plan/ring-size.js";
import { everyone, type Neighbourhood } from "./setting.js";
import { uniformBelow } from "../../../random/uniform-below.js";

/** Neighbours in an attempt: those of the plan's ring, or everyone. */
export function neighbourhoodOf(parties: Parties, session: Uint8Array): Neighbourhood {
  return parties.ring ? ring(parties.participants, parties.ring, session) : everyone(parties);
}

/** A ring of n > k + 1 participants in the order of a session. */
export function ring(
  n: number,
  { neighbours, threshold }: RingSize,
  session: Uint8Array,
): Neighbourhood {
  const order = shuffled(n, session);
  const places = new Uint32Array(n);
  order.forEach((participant, place) => (places[participant] = place));
  const half = neighbours / 2;
  const of = (index: number) =>
    Array.from({ length: neighbours }, (_, i) => {
      const step = i < half ? i + 1 : half - i - 1;
      return order[(places[index]! + step + n) % n]!;
    }).sort((a, b) => a - b);
  return { threshold, of };
}

/** 0 to n - 1 in an order that is uniform but for the session: Fisher and Yates. */
function shuffled(n: number, session: Uint8Array): Uint32Array {
  const next = wordsOf(sha256(concatBytes(utf8ToBytes("mp-mtl ring "), session)));
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  for (let last = n - 1; last > 0; last--) {
    const other = uniformBelow(last + 1, next);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

const BLOCK = 64;
const NONCE = new Uint8Array(12);
const ZEROS = new Uint8Array(16 * BLOCK);

/** The words of a ChaCha20 stream, one after the other. */
function wordsOf(key: Uint8Array): () => number {
  const bytes = new Uint8Array(ZEROS.length);
  const words = new Uint32Array(bytes.buffer);
  let at = words.length;
  let block = 0;
  return () => {
    if (at === words.length) {
      chacha20(key, NONCE, ZEROS, bytes, block);
      block += ZEROS.length / BLOCK;
      at = 0;
    }
    return words[at++]!;
  };
}
