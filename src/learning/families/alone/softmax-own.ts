/**
 * Every task's own softmax regression under a public prior, in batches: the mode of its posterior, slopes on the task's own scale
 * (or by declared ranges). Intercepts have a prior, too, so that a class of which a task has no row stays possible.
 * @module
 */
import { compactRows } from "../../../data/index.js";
import { LinearModel } from "../../models/linear-model.js";
import { rowsOf, scaleOf } from "../../models/resident-model.js";
import type { Batches } from "../../round/batches.js";
import type { ParticipantHalf } from "../../round/halves.js";
import { Minimizer } from "../../steps/minimize.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { sparseRows } from "../../tasks/compact-task.js";
import { ownRows } from "../../tasks/own-models/own-scale.js";
import { SOFTMAX } from "../../tasks/own-models/settings.js";
import { placeTasks, type ResidentTasks } from "../../tasks/resident-tasks.js";
import { residentBytes } from "../../tasks/resident-size.js";
import { provenHalf, TaskProofs } from "./proven-half.js";
import { minimizeRidge, softmaxWork } from "./softmax-batches.js";

/** What is asked for. */
export interface OwnSoftmaxOptions extends CommonOptions {
  readonly tolerance: number;
}

/** Batches whose losses are the objectives, and whose component `PROOF` holds each task's bound on its distance to the optimum. */
export function ownSoftmaxBatches(options: OwnSoftmaxOptions): Batches {
  return { work: softmaxWork, bytes: residentBytes, place: (context) => batch(options, context) };
}

/** One task's rows z[n, q] on the scale of its own model, a column for the intercept last; and what brings its slopes back. */
interface Seen {
  readonly z: Float64Array;
  readonly q: number;
  /** Positions of the columns that have an entry; undefined where all do. */
  readonly columns: Uint32Array | undefined;
  readonly factors: Float64Array;
  readonly center: Float64Array;
}

/** Value of the intercept's column, by which one penalty is right for intercepts and slopes. */
const RATIO = SOFTMAX.intercept / SOFTMAX.slopes;

function seenOf(tasks: ResidentTasks, i: number): Seen {
  const { core, d, known, features } = tasks;
  const { arena } = core;
  const { from, n } = rowsOf(tasks, i);
  const compact = tasks.isDense ? undefined : compactRows(sparseRows(tasks), from, from + n);
  const k = compact ? compact.columns.length : d;
  const x = compact?.x ?? arena.view(tasks.wideRows(from, n), n * d).slice();
  const s = tasks.weights === 0 ? undefined : arena.view(tasks.weights + 8 * from, n).slice();
  const { z, factors, center } = ownRows(
    { x, n, d: k, s },
    { centered: tasks.intercept && !known.features, declared: known.features },
  );
  // A feature of mean square 1/3 keeps the slope that the prior is about.
  const size = Math.sqrt(features * SOFTMAX.meanSquare);
  const q = k + (tasks.intercept ? 1 : 0);
  const rows = new Float64Array(n * Math.max(q, 1)).fill(q === 0 ? 0 : RATIO);
  for (let row = 0; row < n; row++) {
    for (let j = 0; j < k; j++) rows[row * q + j] = z[row * k + j]! * size;
  }
  const back = factors.map((factor) => factor * size);
  return { z: rows, q: Math.max(q, 1), columns: compact?.columns, factors: back, center };
}

function batch(
  options: OwnSoftmaxOptions,
  { core, data, sizes, classes }: Parameters<Batches["place"]>[0],
): ParticipantHalf {
  const { tolerance, intercept } = options;
  const { tasks } = placeTasks(data, options, { core, classes, sizes });
  const { arena } = core;
  const { m, d } = tasks;
  const C = classes!.length;
  const weights = new Float64Array(m * d * C);
  const intercepts = new Float64Array(m * C);
  const proofs = new TaskProofs(m);
  function* solve(): Generator<void, void> {
    for (let i = 0; i < m; i++) {
      const mark = arena.mark();
      const seen = seenOf(tasks, i);
      const model = new LinearModel(tasks.oneTask(i, arena.copyOf(seen.z), seen.q), C);
      const size = model.parameters;
      const at = arena.zeros(size);
      const lambda = scaleOf(tasks, i) / SOFTMAX.slopes ** 2;
      const problem = { core, model, task: 0, lambda, penalised: size, tolerance };
      const { value, bound } = minimizeRidge(problem, new Minimizer(core, size), at);
      proofs.keep(i, { objective: value, bound });
      const found = arena.view(at, size).slice();
      arena.release(mark);
      const own = {
        weights: weights.subarray(i * d * C, (i + 1) * d * C),
        intercepts: intercepts.subarray(i * C, (i + 1) * C),
      };
      toGiven(seen, found, C, intercept, own);
      yield;
    }
  }
  const models = () => ({ weights, intercepts: intercept ? intercepts : null });
  return provenHalf(solve, models, proofs);
}

/** Writes the model of the given features to `own`. @param found the model of `z`, [q, C]. */
function toGiven(
  { columns, factors, center }: Seen,
  found: Float64Array,
  C: number,
  intercept: boolean,
  own: { readonly weights: Float64Array; readonly intercepts: Float64Array },
): void {
  const k = factors.length;
  for (let c = 0; c < C; c++) {
    let level = intercept ? found[k * C + c]! * RATIO : 0;
    for (let j = 0; j < k; j++) {
      const weight = found[j * C + c]! * factors[j]!;
      own.weights[(columns?.[j] ?? j) * C + c] = weight;
      level -= weight * center[j]!;
    }
    own.intercepts[c] = level;
  }
}
