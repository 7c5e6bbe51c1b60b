/**
 * Where rows enter by their differences within tasks, the model that `single-task` has of a task's rows counts as well.
 *
 * It is of the rows about their mean, so that it does not see where columns lie, either, and has the weight that the task's rows gave to learning alone; what they have
 * so far has the rest: a linear pool (Stone 1961). Both hold features within what the task's own rows showed of them, so it is one model, and it is as
 * unsure as before, for the covariance has how far learning alone is from the rest. All this is post-processing of the task's own rows: nothing is released,
 * and no upload depends on it.
 * @module
 */
import { relativeWeights, type TaskSet } from "../../../../data/index.js";
import { knownScale } from "../../../tasks/own-models/known-scale.js";
import type { MixedModels } from "../exchange.js";
import type { Units } from "../units.js";
import { learnedAlone, type OwnRows } from "./denied-votes.js";

/** The models, of differences with that of `single-task` in them; others as they are. */
export function pooledAlone<T extends Omit<MixedModels, "prior">>(
  given: T,
  { untold }: Units,
  data: TaskSet,
): T {
  if (!untold || data.standFor || data.sparse) return given;
  const { m, d, offsets } = data;
  const weights = relativeWeights(data);
  const asked = { intercept: true, known: knownScale(data.encoding, true) };
  const models = given.models.slice();
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    if (to === from) continue;
    const y = data.y.subarray(from, to);
    const { rows, mean } = aboutMean({
      ...{ x: data.x.subarray(from * d, to * d), y, s: weights?.subarray(from, to) },
    });
    const alone = learnedAlone(rows, asked);
    if (!alone) continue;
    for (let c = 0; c < d; c++) alone[d]! -= alone[c]! * mean[c]!;
    const p = given.alone[i]!;
    const model = models.subarray(i * (d + 1), (i + 1) * (d + 1));
    for (let c = 0; c <= d; c++) model[c]! += p * (alone[c]! - model[c]!);
  }
  return { ...given, models };
}

function aboutMean(given: OwnRows): { readonly rows: OwnRows; readonly mean: Float64Array } {
  const { x, y } = given;
  const d = x.length / y.length;
  const mean = new Float64Array(d);
  for (let at = 0; at < x.length; at++) mean[at % d]! += x[at]! / y.length;
  return { rows: { ...given, x: x.map((value, at) => value - mean[at % d]!) }, mean };
}
