/**
 * The mixed model's exchange on exact sums: what learning together would reach if nothing had to be hidden.
 * @module
 */
import { openCore } from "../../../core/index.js";
import { binaryLabels, relativeWeights, type TaskSet } from "../../../data/index.js";
import type { BatchModels } from "../../round/halves.js";
import { sumOfLosses } from "../../fitted/linear-models.js";
import { publicSizes } from "../../release/public-sizes.js";
import { withConstantColumn } from "../../tasks/constant-column.js";
import { taskLosses } from "./halves.js";
import { LearnedScaleExchange, scalePart, scaleReleases } from "./learned-scale.js";
import { mixedLoss } from "./mixed-losses.js";
import { batchModels } from "./model-components.js";
import { columnsToLearn, requireScales, type ScaleChoice } from "./options.js";
import { rootedRows } from "./rooted-rows.js";
import { declaredUnits, givenUnits } from "./units.js";
import { weightedSizes } from "./weighted-sizes.js";

/** The models of all tasks, and the sum over tasks of the mean loss of their rows. @throws `signal.reason` once aborted. */
export function solveWithoutNoise(
  data: TaskSet,
  options: ScaleChoice,
  signal?: AbortSignal,
): { readonly models: BatchModels; readonly objective: number } {
  const sizes = publicSizes(data);
  requireScales(data, sizes, options);
  const { x, offsets, d } = withConstantColumn(data);
  const y = options.loss === "logistic" ? binaryLabels(data).y : data.y;
  const weights = relativeWeights(data);
  const rows = { x, y, offsets, d, m: data.m, weights };
  const loss = mixedLoss({ loss: options.loss, unit: "task" });
  const about = { m: data.m, d, meanRows: sizes.rows / data.m };
  const columns = columnsToLearn(sizes, options);
  const part = scalePart(columns.length, data.m, Infinity);
  const { rangeSize } = loss;
  const known = options.scale === "unit" ? givenUnits(d) : declaredUnits(data.encoding, rangeSize);
  const core = openCore();
  const exchange = new LearnedScaleExchange(rows, { columns, known, rangeSize }, (scaled) =>
    loss.exchange({
      core,
      encoding: data.encoding,
      rows: rootedRows(scaled, data),
      sizes: about,
      of: weightedSizes(sizes, undefined),
      mu: Infinity,
      unit: "task",
    }),
  );
  const releases = [...scaleReleases(columns.length, part), ...loss.releases(about, Infinity)];
  releases.forEach(({ length }, release) => {
    signal?.throwIfAborted();
    const uploads = exchange.upload(release);
    const sum = new Float64Array(length);
    for (let at = 0; at < data.m * length; at++) sum[at % length]! += uploads[at]!;
    exchange.receive(release, sum, 0);
  });
  const solved = exchange.solve();
  return {
    models: batchModels(solved, exchange.units, data.m),
    objective: sumOfLosses(taskLosses(options.loss, rows, solved.models)),
  };
}
