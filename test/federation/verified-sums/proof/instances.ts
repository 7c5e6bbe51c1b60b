/**
 * Instances of PINE for tests, and one report taken through both aggregators.
 * @module
 */
import { FIELD_64 } from "../../../../src/federation/verified-sums/field/field.js";
import { Pine, type Aggregator } from "../../../../src/federation/verified-sums/proof/pine.js";
import {
  decide,
  outputShare,
  prepare,
  type Refusal,
} from "../../../../src/federation/verified-sums/proof/preparation.js";
import type { Shares } from "../../../../src/federation/verified-sums/proof/shard.js";
import { XOF_TURBO_SHAKE_128 } from "../../../../src/federation/verified-sums/field/xof.js";

/** One with few wraparound checks, which is quick: liars by wrapping around pass once in 2^12. */
export function smallPine(dimension: number, radius = 1000n): Pine {
  return new Pine({
    field: FIELD_64,
    xof: XOF_TURBO_SHAKE_128,
    id: 0xffffffff,
    dimension,
    radius,
    checks: 12,
    successes: 12,
    alpha: 8.7,
    chunk: 20,
    equalityChunk: 3,
    proofs: 2,
    equalityProofs: 2,
  });
}

/** What a participant with this instance would do that takes other numbers for granted. */
export function lyingPine(pine: Pine, parameters: Partial<Pine["parameters"]>): Pine {
  return Object.create(pine, {
    parameters: { value: { ...pine.parameters, ...parameters } },
    // Private members live in the honest one.
    ...Object.fromEntries(
      (["helperMeasurement", "helperProofs", "proverRandomness", "jointRandomness"] as const)
        .concat(["productStream", "jointPart", "jointSeed"] as never[])
        .map((name) => [name, { value: (pine[name] as () => unknown).bind(pine) }]),
    ),
  }) as Pine;
}

export interface Checked {
  readonly verifyKey?: Uint8Array;
  /** Of leader and helper. */
  readonly nonces: readonly [Uint8Array, Uint8Array];
  readonly publicShares?: readonly [Uint8Array, Uint8Array];
}

/** Both output shares, or why the report is refused, by the first who refuses. */
export function check(
  pine: Pine,
  { publicShare, inputShares }: Shares,
  { verifyKey = new Uint8Array(pine.xof.seedBytes).fill(9), nonces, publicShares }: Checked,
): readonly [bigint[], bigint[]] | Refusal {
  const [leader, helper] = ([0, 1] as Aggregator[]).map((aggregator) =>
    prepare(
      pine,
      verifyKey,
      aggregator,
      nonces[aggregator],
      (publicShares ?? [publicShare, publicShare])[aggregator],
      inputShares[aggregator],
    ),
  ) as [ReturnType<typeof prepare>, ReturnType<typeof prepare>];
  if (typeof leader === "string") return leader;
  if (typeof helper === "string") return helper;
  const decision = decide(pine, [leader.message, helper.message]);
  if (typeof decision === "string") return decision;
  const [a, b] = [outputShare(leader.state, decision), outputShare(helper.state, decision)];
  if (typeof a === "string") return a;
  return typeof b === "string" ? b : [a, b];
}

/** The integers that two shares add up to. */
export function together(pine: Pine, [a, b]: readonly [bigint[], bigint[]]): bigint[] {
  const { field } = pine.parameters;
  return a.map((x, i) => field.signed(field.add(x, b[i]!)));
}
