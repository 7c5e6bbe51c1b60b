/**
 * How much of what sharing could gain a private method keeps: the share of the way from learning alone to the best
 * method without privacy.
 * @module
 */
import { errorOf } from "../../../learning/index.js";
import { ALONE } from "../../../learning/methods.js";
import type { CellResult } from "../cells/cell.js";
import type { Estimate } from "../../../report/index.js";
import { estimateOf, isClearlyPositive } from "./estimate.js";

/** Which runs saw the same data. */
const pairOf = ({ replicate, variant }: CellResult) => `${replicate} ${variant ?? "-"}`;

/** Runs by the data that they saw; those to which a sweep means nothing are the same for all its values. */
export class Paired {
  readonly #errors: ReadonlyMap<string, number | null>;

  constructor(results: readonly CellResult[]) {
    this.#errors = new Map(results.map((one) => [pairOf(one), errorOf(one.scores)]));
  }

  /** The error on the data that this run saw; null where there is none. */
  beside(result: CellResult): number | null {
    return this.#errors.get(pairOf(result)) ?? this.#errors.get(`${result.replicate} -`) ?? null;
  }

  /** Another's error minus the own one, of the runs that both have: > 0 is better. */
  gains(group: readonly CellResult[]): number[] {
    return group.flatMap((result) => {
      const [own, other] = [errorOf(result.scores), this.beside(result)];
      return own === null || other === null ? [] : [other - own];
    });
  }
}

/** The way from learning alone to the best method without privacy, at one value of a sweep. */
interface Way {
  readonly reference: string;
  readonly gain: number;
}

/**
 * The way for the runs of a group; undefined where no method without privacy is clearly better than alone, by the paired
 * difference.
 */
function wayFor(
  group: readonly CellResult[],
  results: readonly CellResult[],
  alone: Paired,
): Way | undefined {
  const [{ variant = null }] = group as [CellResult];
  const open = results.filter(
    (one) => one.epsilon === null && one.method !== ALONE && (one.variant ?? variant) === variant,
  );
  const names = [...new Set(open.map(({ method }) => method))];
  const ways = names.flatMap((reference) => {
    const own = open.filter(({ method }) => method === reference);
    const gains = alone.gains(own);
    if (gains.length === 0) return [];
    const gain = estimateOf(gains);
    return isClearlyPositive(gain) ? [{ reference, gain: gain.mean }] : [];
  });
  return ways.reduce<Way | undefined>((a, b) => (a && a.gain >= b.gain ? a : b), undefined);
}

/** The share that a private group keeps, and of the way to which method; null where there is no way to go. */
export function shareOf(
  group: readonly CellResult[],
  results: readonly CellResult[],
  alone: Paired,
): { readonly share: Estimate; readonly reference: string } | null {
  const [{ epsilon }] = group as [CellResult];
  if (epsilon === null) return null;
  const way = wayFor(group, results, alone);
  const gains = alone.gains(group);
  if (!way || gains.length === 0) return null;
  const share = estimateOf(gains.map((value) => value / way.gain));
  return { share, reference: way.reference };
}
