/**
 * A participant's side of PINE: a vector into two input shares and a public share.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { encodeVector } from "../field/encoding.js";
import type { Element, PrimeField } from "../field/field.js";
import { prove, proverRandomLength } from "./linear-proof.js";
import { encodeProducts, encodeVectorAndNorm } from "./measurement.js";
import { HELPER, LEADER, type JointKind, type Pine } from "./pine.js";
import { randomProducts } from "./products.js";

/** What leaves a participant. */
export interface Shares {
  /** For both aggregators: parts of the joint seeds. */
  readonly publicShare: Uint8Array;
  /** For the leader and for the helper; each alone is independent of the vector. */
  readonly inputShares: readonly [Uint8Array, Uint8Array];
}

/**
 * Shares of a vector.
 *
 * @param vector d integers; of norm at most R, or the aggregators refuse it.
 * @param nonce  `NONCE_BYTES` random bytes, public.
 * @param random `pine.randomBytes` secret uniform bytes, used for this report only.
 * @returns undefined if too few of the wraparound checks succeeded, which other random bytes mend:
 *   of an honest vector less often than checks times 2 e^(-alpha^2), 2^-101 with the default numbers.
 */
export function shard(
  pine: Pine,
  vector: readonly bigint[],
  nonce: Uint8Array,
  random: Uint8Array,
): Shares | undefined {
  const { parameters } = pine;
  const { field, dimension } = parameters;
  if (vector.length !== dimension) {
    throw new RangeError(`vector: expected ${dimension} entries, got ${vector.length}`);
  }
  const n = pine.xof.seedBytes;
  const seed = (i: number) => random.subarray(i * n, (i + 1) * n);
  const blinds = {
    product: [seed(4), seed(2)],
    joint: [seed(5), seed(3)],
  } as const;
  const helperShare = pine.helperMeasurement(seed(0));
  const parts = (kind: JointKind, values: readonly Element[]) => {
    const helper = helperShare.slice(0, values.length);
    const leader = difference(field, values, helper);
    return [
      pine.jointPart(kind, LEADER, blinds[kind][0], nonce, leader),
      pine.jointPart(kind, HELPER, blinds[kind][1], nonce, helper),
    ] as const;
  };

  const vectorAndNorm = encodeVectorAndNorm(vector, parameters);
  const productParts = parts("product", vectorAndNorm);
  const stream = pine.productStream(pine.jointSeed("product", productParts));
  const products = randomProducts(vectorAndNorm.slice(0, dimension), parameters, stream);
  const productBits = encodeProducts(products, parameters);
  if (!productBits) return undefined;

  const measurement = [...vectorAndNorm, ...productBits];
  const jointParts = parts("joint", measurement);
  const joint = pine.jointRandomness(pine.jointSeed("joint", jointParts));
  const proofs = allProofs(
    pine,
    [...measurement, ...products],
    pine.proverRandomness(seed(6)),
    joint,
  );
  const leaderShare = concatBytes(
    encodeVector(field, difference(field, measurement, helperShare)),
    encodeVector(field, difference(field, proofs, pine.helperProofs(seed(1)))),
    blinds.product[0],
    blinds.joint[0],
  );
  const helperSeeds = random.slice(0, 4 * n);
  return {
    publicShare: concatBytes(...productParts, ...jointParts),
    inputShares: [leaderShare, helperSeeds],
  };
}

function allProofs(
  pine: Pine,
  input: readonly Element[],
  random: readonly Element[],
  joint: readonly Element[],
): Element[] {
  const proofs: Element[] = [];
  let [randomAt, jointAt] = [0, 0];
  for (const { circuit, times } of pine.proved) {
    for (let i = 0; i < times; i++) {
      const own = random.slice(randomAt, (randomAt += proverRandomLength(circuit)));
      const shared = joint.slice(jointAt, (jointAt += circuit.jointLength));
      proofs.push(...prove(circuit, input, own, shared));
    }
  }
  return proofs;
}

/** a - b, entry by entry. */
function difference(field: PrimeField, a: readonly Element[], b: readonly Element[]): Element[] {
  return a.map((value, i) => field.subtract(value, b[i]!));
}
