/**
 * What a curator kept in order to open a sum, read as integers.
 * @module
 */
import { decodeFrame } from "../../../src/federation/protocol/messages/frame.js";
import { plannedMethod } from "../../../src/federation/protocol/plan/planned-method.js";
import { shareOptionsOf } from "../../../src/federation/secure-aggregation/plan/planned.js";
import { aggregationTerms } from "../../../src/federation/secure-aggregation/plan/terms.js";
import { decodeVector } from "../../../src/federation/verified-sums/field/encoding.js";
import { verifiedTerms } from "../../../src/federation/verified-sums/plan/terms.js";
import { SIZES } from "./cases.js";
import type { Setting } from "./two-worlds.js";

/** Entry by entry what one has more than the other, around 0 modulo q. */
function apart(a: readonly bigint[], b: readonly bigint[], q: bigint): bigint[] {
  return a.map((x, i) => {
    const less = (((x - b[i]!) % q) + q) % q;
    return less > q / 2n ? less - q : less;
  });
}

/** How the openings of a round are read. */
export interface OpeningReader {
  /** Entry by entry what the sum of one has more than that of another. */
  stepsBetween(one: Uint8Array, other: Uint8Array): bigint[];
  /** What lies beside the integers. */
  beside(bytes: Uint8Array): unknown[];
  /** D^2. */
  readonly squared: bigint;
}

/** @param round 1-based. */
export function openingReader({ plan }: Pick<Setting, "plan">, round = 1): OpeningReader {
  const { aggregation } = plan;
  const { releases } = plannedMethod(plan, SIZES);
  if (aggregation?.kind === "two-aggregators") {
    const { grid, pine } = verifiedTerms(releases)[round - 1]!;
    const { field } = pine.parameters;
    const integersOf = (bytes: Uint8Array) => [...decodeVector(field, bytes, grid.entries)!];
    return {
      stepsBetween: (one, other) => apart(integersOf(one), integersOf(other), field.modulus),
      beside: () => [],
      squared: grid.squaredSensitivity,
    };
  }
  if (aggregation?.kind !== "secure") throw new TypeError("expected hidden sums");
  const { grid, bits } = aggregationTerms(releases, shareOptionsOf(aggregation))[round - 1]!;
  const width = bits / 8;
  const cut = (bytes: Uint8Array) => bytes.length - width * grid.entries;
  const integersOf = (bytes: Uint8Array) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset + cut(bytes));
    return Array.from({ length: grid.entries }, (_, i) =>
      bits === 32 ? BigInt(view.getUint32(4 * i, true)) : view.getBigUint64(8 * i, true),
    );
  };
  return {
    stepsBetween: (one, other) => apart(integersOf(one), integersOf(other), 1n << BigInt(bits)),
    beside: (bytes) => [decodeFrame(bytes).header, bytes.slice(0, cut(bytes))],
    squared: grid.squaredSensitivity,
  };
}

/** Sum of squares. */
export const squaresOf = (steps: readonly bigint[]) => steps.reduce((sum, x) => sum + x * x, 0n);
