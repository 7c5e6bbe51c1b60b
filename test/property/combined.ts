/**
 * What stands in the place of a sum of vectors where a fit has `aggregate`: written from its definition, on the draws of the fit.
 * @module
 */
import { openCore } from "../../src/core/index.js";
import type { Aggregate } from "../../src/learning/index.js";
import { openStream, permutation, type RandomOptions } from "../../src/random/index.js";
import { streamNumber } from "../../src/random/stream-numbers.js";

/** Uploads V[m, d] of a round, as one vector. */
export type Combination = (uploads: Float64Array, m: number, d: number, round: number) => Float64Array; // prettier-ignore

/** undefined where it is the plain sum. */
export function combinationOf(options: Record<string, unknown>): Combination | undefined {
  const aggregate = options["aggregate"] as Aggregate | undefined;
  if (!aggregate || aggregate.kind === "mean") return undefined;
  return (uploads, m, d, round) => {
    const members =
      aggregate.kind === "trimmed-mean"
        ? Array.from({ length: m }, (_, i) => [i])
        : dealt(drawnOrder(options["random"] as RandomOptions, m, round), aggregate.groups);
    const left =
      aggregate.kind === "trimmed-mean"
        ? Math.floor(aggregate.share * m)
        : (members.length - 1) / 2;
    const smallest = Math.floor(m / members.length);
    return Float64Array.from({ length: d }, (_, j) => {
      const sums = members.map(
        (tasks) =>
          tasks.reduce((sum, i) => sum + uploads[i * d + j]!, 0) * (smallest / tasks.length),
      );
      sums.sort((a, b) => a - b);
      return sums.slice(left, sums.length - left).reduce((sum, x) => sum + x, 0);
    });
  };
}

function drawnOrder(random: RandomOptions, m: number, round: number): number[] {
  const stream = openStream(openCore(), random, streamNumber.groups(round));
  const order = [...permutation(stream, m)];
  stream.close();
  return order;
}

/** Stretches of an order, the first of which have one more where they do not come out even. */
function dealt(order: readonly number[], groups: number): number[][] {
  const [size, larger] = [Math.floor(order.length / groups), order.length % groups];
  let at = 0;
  return Array.from({ length: groups }, (_, g) =>
    order.slice(at, (at += g < larger ? size + 1 : size)).sort((a, b) => a - b),
  );
}
