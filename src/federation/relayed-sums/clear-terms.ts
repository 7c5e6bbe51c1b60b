/**
 * What a relay of plain sums must know of a round to add up vectors as the curator does: the statistic and its sizes, the clip, and how many
 * tasks each of its participants has. The curator says it with every request, as bytes behind those of a relay of secure sums
 * (`relays/relay-messages.ts`):
 *
 *   statistic   1 byte
 *   m, d        4 bytes each
 *   K           8 bytes, float64
 *   tasks       4 bytes for each member of the relay's group
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import {
  integersOf,
  type SummedName,
  type SumShape,
} from "../../learning/round/statistic/any-order.js";
import { uint32 } from "../secure-aggregation/keys/session.js";

/** What is added up, and of how many tasks. */
export interface ClearTerms {
  readonly shape: SumShape;
  /** Tasks of each member of the group, by its place there. */
  readonly tasks: readonly number[];
}

/** The order is part of the protocol. */
const STATISTICS: readonly SummedName[] = [
  "covariance",
  "diagonal",
  "augmented-covariance",
  "vector",
  "moment",
];
const HEAD_BYTES = 17;

/** Integers of a sum, and behind them how many of its vectors were longer than K. */
export const entriesOf = (shape: SumShape): number => integersOf(shape) + 1;

export function termsBytes({ shape, tasks }: ClearTerms): Uint8Array {
  const { statistic, m, d, clip } = shape;
  const bound = new Uint8Array(8);
  new DataView(bound.buffer).setFloat64(0, clip, true);
  const head = [Uint8Array.of(STATISTICS.indexOf(statistic)), uint32(m), uint32(d), bound];
  return concatBytes(...head, ...tasks.map(uint32));
}

/**
 * @param size members of the group.
 * @returns undefined if that is not what the bytes are.
 */
export function parseTerms(bytes: Uint8Array, size: number): ClearTerms | undefined {
  if (bytes.length !== HEAD_BYTES + 4 * size) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const statistic = STATISTICS[bytes[0]!];
  const [m, d, clip] = [view.getUint32(1, true), view.getUint32(5, true), view.getFloat64(9, true)];
  if (statistic === undefined || m < 1 || d < 1 || !(clip > 0 && clip < Infinity)) return undefined;
  const tasks = Array.from({ length: size }, (_, place) =>
    view.getUint32(HEAD_BYTES + 4 * place, true),
  );
  if (tasks.some((count) => count > m)) return undefined;
  return { shape: { statistic, m, d, clip }, tasks };
}
