/**
 * Priors that know nothing of other tasks: that of `single-task`, from its public grid of variances.
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import { diagonal, multiply } from "../../../../../linalg/small-matrices.js";
import { evidenceGrid } from "../../../../tasks/own-models/evidence-grid.js";
import { heldShift, hypothesis, type Hypothesis, type Root, shifted } from "./hypotheses.js";
import {
  ownDifferences,
  ownUnits,
  type OwnDifferences,
  type OwnUnits,
} from "../../units/own-units.js";
import type { TaskRows } from "../../spectra/task-spectrum.js";
import type { Units } from "../../units/units.js";
import { softmax } from "../../../../../linalg/softmax.js";
import { OWN_NOISE_MULTIPLES, OWN_UNITS } from "../squared-settings.js";

/** What tasks may learn alone around and in. */
export interface Apart {
  /** A model, [d], beside 0. */
  readonly zero?: Float64Array | undefined;
  /** Beside the units that were declared or voted for, with a part of what a task of n rows learns alone. */
  readonly units?: { readonly of: OwnUnits; readonly part: (n: number) => number } | undefined;
  /** Where rows are differences within tasks: in the place of the units that were voted for. */
  readonly differences?: ((task: number) => OwnDifferences) | undefined;
}

/** What the tasks in `rows` learn alone in, by how the units of the rows came about. */
export function apartIn(
  rows: TaskRows,
  d: number,
  { voted = [], untold }: Pick<Units, "voted" | "untold">,
): Apart {
  if (untold) return { differences: ownDifferences(rows, d) };
  if (voted.length > 0) {
    return { units: { of: ownUnits(rows, d, voted), part: () => OWN_UNITS.voted } };
  }
  const features = Array.from({ length: d - 1 }, (_, c) => c);
  return { units: { of: ownUnits(rows, d, features), part: declaredPart } };
}

/** Part of what a task of n rows learns alone that is in units of its own, before these rows are seen. */
export const partInOwn = ({ units, differences }: Apart, n: number): number =>
  differences ? 1 : (units?.part(n) ?? 0);

/** A declared size is right, but what a task's rows spread over may be a small part of it: the more rows, the more they say so. */
function declaredPart(n: number): number {
  const ratio = n / OWN_UNITS.rows;
  return (ratio * ratio) / (1 + ratio * ratio);
}

/**
 * A root for each centre, in the units of the rows and in the task's own; weights of either kind sum to 1. The intercept has the middle one of the
 * variances beside the slopes' that `single-task` averages over: with the shared prior in the average, too, errors of 91 tables were the same with all.
 */
export function aloneRoots(d: number, { zero, units, differences }: Apart = {}): Root[] {
  const { ratios, slopes, noise, priors } = evidenceGrid(!differences, !differences);
  const [spreads, noises] = [slopes, noise].map((both) => both.subarray(0, both.length / 2));
  const centers = [new Float64Array(d), ...(zero ? [zero] : [])];
  const count = spreads!.length * noises!.length;
  const middle = (ratios.length - 1) / 2;
  const weights = softmax(priors.slice(middle * count, (middle + 1) * count));
  const hypotheses: Hypothesis[] = [];
  for (const spread of spreads!) {
    for (let k = 0; k < noises!.length; k++) {
      const weight = weights[hypotheses.length]! / centers.length;
      hypotheses.push(hypothesis(spread, noises![k]!, OWN_NOISE_MULTIPLES.length + k, log(weight)));
    }
  }
  // All slopes together explain a variance of 1.
  const deviations = new Float64Array(d).fill(1 / Math.sqrt(Math.max(d - 1, 1)));
  deviations[d - 1] = Math.sqrt(ratios[middle]!);
  const l = diagonal(deviations);
  const kinds = [
    ...(differences ? [] : ["alone" as const]),
    ...((units ?? differences) ? ["own" as const] : []),
  ];
  return kinds.flatMap((kind) => centers.map((center): Root => ({ kind, center, l, hypotheses })));
}

/** Roots as one task after the other has them: those in its own units in room that is kept. */
export class TaskRoots {
  /** Of which the last few, those in units of a task's own, are written over. */
  readonly #all: readonly Root[];
  readonly #own: readonly OwnRoot[];
  readonly #d: number;

  constructor(roots: readonly Root[], d: number) {
    const isOwn = ({ kind }: Root) => kind === "own";
    this.#d = d;
    this.#own = roots.filter(isOwn).map((root) => ({
      root,
      mine: { ...root, l: new Float64Array(d * d) },
      shifted: new Map(),
    }));
    this.#all = [
      ...roots.filter((root) => !isOwn(root)),
      ...this.#own.map(({ mine }): Root => mine),
    ];
  }

  /** The roots, where there are any of its own in these units; they are overwritten by the next task's. */
  of(units: Float64Array | undefined, differences: OwnDifferences | undefined): readonly Root[] {
    const own = differences?.units ?? units;
    if (!own) return this.#all;
    const d = this.#d;
    const shift = differences && heldShift(differences.square);
    for (const one of this.#own) {
      multiply(own, one.root.l, d, d, d, one.mine.l);
      if (shift !== undefined) one.mine.hypotheses = hypothesesAt(one, shift);
    }
    return this.#all;
  }
}

/** A root, the same in units of a task's own, and its hypotheses by what they were shifted. */
interface OwnRoot {
  readonly root: Root;
  readonly mine: { -readonly [Field in keyof Root]: Root[Field] };
  readonly shifted: Map<number, readonly Hypothesis[]>;
}

function hypothesesAt({ root, shifted: known }: OwnRoot, shift: number): readonly Hypothesis[] {
  const found = known.get(shift) ?? root.hypotheses.map((h) => shifted(h, shift));
  known.set(shift, found);
  return found;
}
