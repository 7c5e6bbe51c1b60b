/**
 * What a person should know of a fit beyond its figures: what the budget could buy, and what it did.
 * @module
 */
import { someNames } from "../../core/messages/some-names.js";
import type { TaskSet } from "../../data/index.js";
import { encodedColumns } from "../../data/columns/column-encoding.js";
import {
  Auto,
  prospectsOf,
  type CommonOptions,
  type Estimator,
  type FittedModel,
} from "../../learning/index.js";
import { UNTOLD } from "../../learning/fitted/unseen/untold.js";
import type { HistoryEntry } from "../../learning/fitted/model-state.js";
import { FOUND_IN_ALL } from "../../learning/estimators/single-task.js";
import { findMethod } from "../../learning/methods.js";
import { stoodOut } from "../../learning/release/above-noise.js";
import { undeclaredColumns } from "../../learning/release/public-sizes.js";
import { targetsOf } from "../../learning/tasks/targets.js";
import { readDelta, resolveDelta, type DeltaChoice } from "../../privacy/index.js";
import {
  columnsFarFromUnit,
  notOfUnitSize,
  rawColumnsRemark,
  takesColumnsAsTheyAre,
} from "../tables/words/raw-columns.js";

/** Mean weight of learning alone from which nothing that was shared had a say. */
const MOSTLY_ALONE = 0.9;

const AS_NOISE =
  "nothing stood out of the noise: what was released is as noise alone would be, which is taken for more in one fit of a hundred; " +
  "tasks learned next to nothing from each other";

/** A mean over all tasks of what each makes of its own rows: no function of the releases, so it says whom it is for. */
const KEPT =
  "nothing stood out of the noise; every task kept its own model, by a mean over all tasks that is not charged: for the curator only";

const LEVELS_APART =
  "tasks learned together how their own rows differ from one another: slopes are shared, each task keeps its own level, and nothing is known of " +
  "tasks without rows; ranges of the columns (--ranges FILE, which inspect --out drafts), which cost nothing, would tell of these, too";

/** What there is to say of the rounds of a fit with such a history, or of a federated run. */
export const remarksOnReleases = (history: readonly HistoryEntry[]): readonly string[] =>
  stoodOut(history) === false ? [AS_NOISE] : [];

/** Whether the method's budget is for whole tasks, as the simulations have it. */
const protectsTasks = (method: string) => findMethod(method)?.privacy?.unit === "task";

/**
 * What to think about before a fit spends anything, each a sentence; nothing where nothing will be spent.
 */
export function warningsBefore(estimator: Estimator, data: TaskSet): readonly string[] {
  const method = estimator instanceof Auto ? estimator.choose(data).method : estimator.method;
  if (!protectsTasks(method)) return [];
  const { options } = estimator as unknown as {
    options: Pick<CommonOptions, "loss"> & {
      epsilon: number;
      delta: DeltaChoice;
      unit?: string;
      recordClip?: number;
      scale?: string;
    };
  };
  const { epsilon, delta, unit = "task", recordClip, loss, scale } = options;
  const units = [
    ...(unit === "task" || recordClip === undefined ? [] : rawUnits(data, recordClip)),
    ...(scale === "unit" ? notOfUnitSize(columnsFarFromUnit(data)) : []),
    ...(unit === "task" ? [] : ofRecords(unit === "record" ? data.size : data.m, data.size, delta)),
  ];
  // What a budget buys is known for tasks.
  if (unit === "record") return units;
  const classes = loss === "squared" ? undefined : targetsOf(data, loss).classes?.length;
  return [
    ...units,
    ...(takesColumnsAsTheyAre(method) ? rawColumnsRemark([method], columnsFarFromUnit(data)) : []),
    ...prospectsOf({ m: data.m, d: data.d, classes, rowsPerTask: rowsIn(data), epsilon, delta })
      .warnings,
  ];
}

/**
 * What a delta so large permits of records: there are more of them than of tasks.
 * @param units of which the budget is, so that a delta that is named is theirs.
 */
function ofRecords(units: number, records: number, delta: DeltaChoice): readonly string[] {
  const { remark } = readDelta(resolveDelta(delta, units), records, "record");
  return remark === undefined ? [] : [remark];
}

/** Gradients of rows are cut, and steps taken, in the units of the data: of which nothing is known where no range is. */
function rawUnits({ encoding, targetLevels }: TaskSet, recordClip: number): readonly string[] {
  const unknown = encoding.columns.filter(({ scale }) => scale === null).map(({ name }) => name);
  const target = encoding.target.scale === null && !targetLevels;
  if (unknown.length === 0 && !target) return [];
  const what = [
    ...(unknown.length > 0 ? [`columns without a declared range (${someNames(unknown)})`] : []),
    ...(target ? ["a target without one"] : []),
  ].join(" and ");
  return [
    `${what}: every row's gradient is cut to recordClip ${recordClip}, and steps are taken, in the units of the data; where these are not ` +
      "about 1 in size the shared model hardly moves, whatever epsilon is. Declare ranges (--ranges FILE, which inspect --out " +
      "drafts), so that all lie within [-1, 1], unless all are of about unit size already",
  ];
}

/** Rows of a task, in the mean. */
const rowsIn = ({ taskSizes, m }: TaskSet) => taskSizes.reduce((sum, n) => sum + n, 0) / m;

const scaleOf = ({ options }: FittedModel) => options["scale"];

/** Whether the budget paid for votes on how large undeclared columns are. */
const learnsSizes = (model: FittedModel) =>
  model.method === "mp-mixed" && scaleOf(model) !== "unit";

/** Columns of which nobody declared a range, by the rows or, in a file, by what the model says of its table. */
function undeclaredOf({ loss, preprocessing }: FittedModel, train: TaskSet | undefined): number {
  if (train) return undeclaredColumns(train, loss);
  const table = preprocessing?.encoding;
  if (!table) return 0;
  const raw = table.columns.flatMap(encodedColumns).filter(({ scale }) => scale === null).length;
  return raw + (loss === "squared" && !table.targetRange ? 1 : 0);
}

/**
 * Remarks on a fitted model, each a sentence; pooled over tasks, for the curator.
 * @param train its rows, where they are at hand.
 */
export function remarksOn(model: FittedModel, train?: TaskSet): string[] {
  const { guarantee, components, m, d } = model;
  // What a budget bought is for the tasks of the fit.
  if (guarantee.later !== undefined) return [];
  if (guarantee.kind === "none") {
    if (!model.choice) return [];
    const shared = guarantee.why.includes(FOUND_IN_ALL)
      ? "nothing was shared but what was found in all tasks' rows"
      : "nothing was shared";
    return [`${shared}; every task kept its own model, made of its rows without noise`];
  }
  const { epsilon, delta, sound } = guarantee;
  const { expectation = null, warnings = [] } =
    sound && guarantee.unit === "task" && protectsTasks(model.method)
      ? prospectsOf({
          m,
          d,
          classes: model.classes?.length,
          epsilon,
          delta,
          rowsPerTask: train && rowsIn(train),
          ...(learnsSizes(model)
            ? { undeclared: undeclaredOf(model, train) }
            : { columnsAsTheyAre: scaleOf(model) !== "unit" && undeclaredOf(model, train) > 0 }),
        })
      : {};
  const alone = components["alone"]?.data;
  const kept =
    alone && alone.reduce((sum, weight) => sum + weight, 0) > MOSTLY_ALONE * alone.length;
  return [
    ...(expectation === null ? [] : [expectation]),
    ...warnings,
    ...remarksOnReleases(model.history),
    ...(components[UNTOLD] ? [LEVELS_APART] : []),
    ...(kept ? [KEPT] : []),
  ];
}
