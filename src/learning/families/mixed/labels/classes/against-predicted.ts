/**
 * Own models of several classes, each against what the others say of the task's rows. Against the rest a class's log-odds are those of its
 * logit z_c over ln sum_(j != c) exp z_j, which is no line of the features. Models of one class against the rest take it for one; here what
 * they miss of it at the task's own rows is added to their lines, and they are made once more, from the same priors. What is left is second-order
 * in what they change by. Of two classes nothing is missed. It is a task's own business, from its rows and from what was released.
 * @module
 */
import { againstRest, averagedLogOdds } from "../../../../fitted/posterior/posterior-mixture.js";
import { logSumExp } from "../../../../../linalg/softmax.js";
import type { LogisticRows, OwnModels } from "../logistic-tasks.js";
import { lossLeftOut } from "./left-out.js";

/**
 * Mean log-loss of a task's rows, each by the others, up to which first models stay: there classes are nearly certain, and the coupled logits make
 * up for averages that are too unsure (`docs/RESULTS-TRIED.md`).
 */
const CERTAIN = 0.4;
/** A class's model stays where no row's log-odds miss so much. */
const LITTLE = 0.02;

/**
 * @param rows  those of the batch, with classes 0..C-1 as targets.
 * @param first models of each class against the rest, [C].
 * @param solve those of a class once more, with what is added to its line at every task's rows, times their labels; undefined of a task whose model stays.
 */
export function modelsAgainstPredicted(
  rows: LogisticRows,
  first: readonly OwnModels[],
  solve: (label: number, added: readonly (Float64Array | undefined)[]) => OwnModels,
): OwnModels[] {
  if (first.length < 3) return [...first];
  const losses = lossLeftOut(rows, first);
  const added = first.map((): (Float64Array | undefined)[] => new Array(losses.length));
  losses.forEach((loss, i) => {
    if (loss <= CERTAIN) return;
    missedBy(
      logOdds(rows, first, i),
      rows.y.subarray(rows.offsets[i], rows.offsets[i + 1]),
    ).forEach((missed, label) => {
      if (missed.some((value) => Math.abs(value) > LITTLE)) added[label]![i] = missed;
    });
  });
  return first.map((models, label) =>
    added[label]!.some(Boolean) ? solve(label, added[label]!) : models,
  );
}

/** Log-odds of each class at the rows of task i: averages over its posterior. */
function logOdds(
  { x, y, offsets }: LogisticRows,
  classes: readonly OwnModels[],
  i: number,
): Float64Array[] {
  const batch = offsets.length - 1;
  const d = x.length / y.length;
  const features = x
    .subarray(offsets[i]! * d, offsets[i + 1]! * d)
    .filter((_, at) => at % d < d - 1);
  const own = (all: Float64Array) =>
    all.subarray((i * all.length) / batch, ((i + 1) * all.length) / batch);
  return classes.map(({ mixtures }) => {
    const { weights, means, covariances } = mixtures!;
    const mixture = { weights: own(weights), means: own(means), covariances: own(covariances) };
    return averagedLogOdds(mixture, features, d - 1);
  });
}

/**
 * What each class's log-odds against the rest are by all classes' logits, less what they are by its own line, times the labels of one against the
 * rest.
 * @param odds [C, n]. @param y classes, [n].
 */
function missedBy(odds: readonly Float64Array[], y: Float64Array): Float64Array[] {
  const C = odds.length;
  const missed = odds.map(({ length }) => new Float64Array(length));
  for (let row = 0; row < y.length; row++) {
    const logits = odds.map((ofClass) => againstRest(ofClass[row]!, C));
    for (let label = 0; label < C; label++) {
      const others = logits.filter((_, j) => j !== label);
      const more = logits[label]! - logSumExp(others) - odds[label]![row]!;
      missed[label]![row] = y[row] === label ? more : -more;
    }
  }
  return missed;
}
