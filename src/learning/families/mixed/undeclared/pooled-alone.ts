/**
 * Where rows enter by their differences within tasks, what a task learns from its rows as they were given counts as well.
 *
 * Differences leave out where rows lie, and the hypotheses of learning alone with them. So the model of `single-task` has the weight that the task's rows
 * gave to learning alone, and all else the rest: a linear pool (Stone 1961), which is one model, since both hold features within what the task's own rows
 * showed of them. All this is post-processing of the task's own rows: nothing is released, and no upload depends on it.
 * @module
 */
import { relativeWeights, type TaskSet } from "../../../../data/index.js";
import { triangle } from "../../../../linalg/packed-symmetric.js";
import { knownScale } from "../../../tasks/own-models/known-scale.js";
import type { MixedModels } from "../exchange.js";
import type { Units } from "../units.js";
import { learnedAlone } from "./denied-votes.js";

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
  const covariances = given.covariances.slice();
  const size = triangle(d + 1);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const [x, y] = [data.x.subarray(from * d, to * d), data.y.subarray(from, to)];
    const alone = to > from && learnedAlone({ x, y, s: weights?.subarray(from, to) }, asked);
    if (!alone) continue;
    const model = models.subarray(i * (d + 1), (i + 1) * (d + 1));
    pool(model, covariances.subarray(i * size, (i + 1) * size), alone, given.alone[i]!);
  }
  return { ...given, models, covariances };
}

/** In place: the mean of two models, that alone with weight p, and the covariance of what they are mixed to, as sure of either. */
function pool(model: Float64Array, covariance: Float64Array, alone: Float64Array, p: number): void {
  const way = alone.map((value, c) => value - model[c]!);
  for (let c = 0, at = 0; c < way.length; c++) {
    for (let e = 0; e <= c; e++, at++) covariance[at]! += p * (1 - p) * way[c]! * way[e]!;
    model[c]! += p * way[c]!;
  }
}
