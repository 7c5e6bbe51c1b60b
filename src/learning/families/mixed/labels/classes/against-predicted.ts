/**
 * Own models of several classes, each against what the others say of the task's rows. Against the rest a class's log-odds are those of its
 * logit z_c over ln sum_(j != c) exp z_j, which is no line of the features. Models of one class against the rest take it for one; here what
 * they miss of it at the task's own rows is added to their lines, and they are made once more, from the same priors. What is left is second-order
 * in what they change by. Of two classes nothing is missed. It is a task's own business, from its rows and from what was released.
 * @module
 */
import { againstRest, averagedLogOdds } from "../../../../fitted/posterior/posterior-mixture.js";
import type { MixedModels } from "../../exchange.js";
import { logSumExp } from "../../softmax.js";
import type { LogisticRows, TaskShifts } from "../logistic-tasks.js";
import { lossLeftOut } from "./left-out.js";

/**
 * Mean log-loss of a task's rows, each by the others, up to which first models stay: there classes are nearly certain, and the coupled logits make
 * up for averages that are too unsure (`docs/RESULTS-TRIED.md`).
 */
const CERTAIN = 0.4;

type OwnModels = Omit<MixedModels, "prior">;

/**
 * @param rows  those of the batch, with classes 0..C-1 as targets.
 * @param first models of each class against the rest, [C].
 * @param solve those of a class with a shift of every task's rows, times their labels; of a task without one anything.
 */
export function modelsAgainstPredicted(
  rows: LogisticRows,
  first: readonly OwnModels[],
  solve: (label: number, shifts: TaskShifts) => OwnModels,
): OwnModels[] {
  if (first.length < 3) return [...first];
  const isUnsure = Array.from(lossLeftOut(rows, first), (loss) => loss > CERTAIN);
  if (!isUnsure.includes(true)) return [...first];
  const odds = first.map((models) => logOdds(rows, models));
  return shiftsOf(odds, rows.y).map((shift, label) => {
    const ofTasks = isUnsure.map((is, i) =>
      is ? shift.subarray(rows.offsets[i], rows.offsets[i + 1]) : undefined,
    );
    return chosen(first[label]!, solve(label, ofTasks), isUnsure);
  });
}

/** Of every task the models before, or those after. */
function chosen(before: OwnModels, after: OwnModels, isAfter: readonly boolean[]): OwnModels {
  const pick = (of: (models: OwnModels) => Float64Array) => {
    const [out, other] = [of(before).slice(), of(after)];
    const size = out.length / isAfter.length;
    isAfter.forEach((is, i) => {
      if (is) out.set(other.subarray(i * size, (i + 1) * size), i * size);
    });
    return out;
  };
  return {
    ...before,
    models: pick(({ models }) => models),
    covariances: pick(({ covariances }) => covariances),
    mixtures: {
      weights: pick(({ mixtures }) => mixtures!.weights),
      means: pick(({ mixtures }) => mixtures!.means),
      covariances: pick(({ mixtures }) => mixtures!.covariances),
    },
    alone: pick(({ alone }) => alone),
  };
}

/** Log-odds of a class at every row, by the row's task: averages over its posterior. */
function logOdds({ x, offsets }: LogisticRows, { mixtures }: OwnModels): Float64Array {
  const batch = offsets.length - 1;
  const count = offsets[batch]!;
  const d = x.length / Math.max(count, 1);
  const out = new Float64Array(count);
  const features = x.filter((_, at) => at % d < d - 1);
  const ofTask = (all: Float64Array, i: number) =>
    all.subarray((i * all.length) / batch, ((i + 1) * all.length) / batch);
  for (let i = 0; i < batch; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const own = {
      weights: ofTask(mixtures!.weights, i),
      means: ofTask(mixtures!.means, i),
      covariances: ofTask(mixtures!.covariances, i),
    };
    out.set(averagedLogOdds(own, features.subarray(from * (d - 1), to * (d - 1)), d - 1), from);
  }
  return out;
}

/** What each class's log-odds against the rest are by all classes' logits, less what they are by its own line. */
function shiftsOf(odds: readonly Float64Array[], y: Float64Array): Float64Array[] {
  const C = odds.length;
  const shifts = odds.map(({ length }) => new Float64Array(length));
  for (let row = 0; row < y.length; row++) {
    const logits = odds.map((ofClass) => againstRest(ofClass[row]!, C));
    for (let label = 0; label < C; label++) {
      const others = logits.filter((_, j) => j !== label);
      const shift = logits[label]! - logSumExp(others) - odds[label]![row]!;
      shifts[label]![row] = y[row] === label ? shift : -shift;
    }
  }
  return shifts;
}
