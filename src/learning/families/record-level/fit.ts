/**
 * A fit of a record-level baseline: its rounds, the single-task fallback if it is asked for, and the model with what it promises.
 * @module
 */
import { openCore, type Pointer } from "../../../core/index.js";
import { requireBound, requireRecordsApart, type TaskSet } from "../../../data/index.js";
import { fittedModel } from "../../fitted/build-model.js";
import type { FitOptions } from "../../round/estimator.js";
import { sumOfLosses, taskLosses } from "../../fitted/linear-models.js";
import type { Classes } from "../../fitted/model-state.js";
import { checkFeatureBound } from "../../options/check-feature-bound.js";
import { refuseWarmStart } from "../../release/refuse-warm-start.js";
import { asPrivate, type PrivateModel } from "../../fitted/private-model.js";
import { noiseScaleAt } from "../../round/release-plan.js";
import { targetsOf } from "../../tasks/targets.js";
import { ClippedTasks } from "./clipped-slopes.js";
import { fallBack } from "./fallback.js";
import { heldByAll, recordLevelGuarantee } from "./guarantee.js";
import type { RecordLevelOptions } from "./options.js";
import { RecordRounds, type RecordLevelMethod } from "./rounds.js";

/**
 * Runs the releases and makes the model.
 * @throws DataError if a row is longer than `featureBound`.
 */
export async function fitRecordLevel(
  definition: RecordLevelMethod,
  data: TaskSet,
  hooks: FitOptions,
): Promise<PrivateModel> {
  const { method, options, rounds } = definition;
  refuseWarmStart(method, hooks);
  requireSingleRecords(data, options);
  checkFeatureBound(data, options.featureBound);
  const placed = placeClipped(data, options);
  const { tasks } = placed;
  const made = new RecordRounds(definition, data, tasks, hooks);
  try {
    const { releases, released } = await made.run();
    const models = { weights: modelsOf(tasks, released, made.length), intercepts: 0 };
    if (options.safeguard) {
      const { strongConvexity } = definition;
      const { featureBound } = options;
      const { distance } = made;
      const problem = { strongConvexity, featureBound, distance, signal: hooks.signal };
      const { weights } = models;
      await fallBack({ ...placed, data, options, weights, part: 1 / made.parts, problem });
    }
    const guarantee = recordLevelGuarantee(releases, data, options, hooks);
    const recordGuarantee = heldByAll(guarantee, options);
    const { ledger, plan } = releases;
    return asPrivate(
      fittedModel(data, placed, models, {
        method,
        options,
        guarantee,
        ledger,
        ...(recordGuarantee ? { recordGuarantee, recordLedger: ledger } : {}),
        certificate: null,
        rounds,
        history: Array.from({ length: rounds }, (_, k) => ({
          round: k + 1,
          noiseScale: noiseScaleAt(plan.main, k + 1),
        })),
        objective: sumOfLosses(taskLosses(tasks, models)),
        ...(definition.components ? { components: definition.components() } : {}),
      }),
    );
  } finally {
    made.close();
  }
}

/** @throws DataError where rows depend on others, or are several of one person, and single ones are to be hidden. */
function requireSingleRecords(data: TaskSet, { unit }: RecordLevelOptions): void {
  if (unit === "task") return;
  requireRecordsApart(data, `unit "${unit}"`);
  requireBound(data, { rowsPerPerson: 1, tasksPerPerson: 1 });
}

/** Places tasks with clipped slopes in a core of their own. */
function placeClipped(
  data: TaskSet,
  options: RecordLevelOptions,
): { tasks: ClippedTasks; classes: Classes | null } {
  const { y, classes } = targetsOf(data, options.loss);
  const bound = options.slopeBound === "data" ? Infinity : options.slopeBound;
  return {
    tasks: new ClippedTasks(openCore(), data, y, options, bound),
    classes,
  };
}

/** [m, d] of what was released: every task has the average, or its own row. */
function modelsOf({ core: { arena }, m, d }: ClippedTasks, released: Pointer, length: number) {
  const weights = arena.f64(m * d);
  for (let at = 0; at < m * d; at += length) {
    arena.view(weights + 8 * at, length).set(arena.view(released, length));
  }
  return weights;
}
