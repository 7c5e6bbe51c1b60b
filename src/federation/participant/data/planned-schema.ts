/**
 * That a participant's rows were prepared as the plan's schema says: by its ranges and levels and no others, with values beyond a range
 * held where it says. Sums over owners of whom one had scaled a column otherwise mean nothing, and nobody would notice.
 * @module
 */
import { DataError } from "../../../core/index.js";
import type {
  DataEncoding,
  DataSchema,
  EncodedColumn,
  Scale,
  TaskSet,
} from "../../../data/index.js";
import { encodesPerTask, type ColumnEncoding } from "../../../data/columns/column-encoding.js";
import { declaredColumns, type DeclaredColumn } from "../../../data/schema/declared-encoding.js";
import { targetScaleOf } from "../../../data/columns/held-target.js";
import { heldWithin, scaleOf, UNIT_SCALE, type Range } from "../../../data/columns/scale.js";
import { someNames } from "../../../core/messages/some-names.js";
import { learnedColumns } from "../../protocol/plan/learned-scale.js";
import type { Plan } from "../../protocol/plan/plan-form.js";

/** Rounding of the two numbers of a scale that was not made of a range. */
const CLOSE = 1e-12;

/**
 * @param data tasks whose features have the plan's names.
 * @throws DataError naming the first column that was prepared otherwise: what the plan has, what was found, what to do.
 */
export function requirePlannedSchema(
  { encoding }: TaskSet,
  plan: Pick<Plan, "schema" | "features" | "normalize" | "options">,
): void {
  const { schema, features } = plan;
  requireRaw(encoding, learnedColumns(plan));
  if (!schema) return requireNonePerTask(encoding);
  requireOnlyScaled(encoding);
  const byFirst = new Map(declaredColumns(schema).map((column) => [column.features[0]!, column]));
  for (let at = 0; at < features.length;) {
    const planned = byFirst.get(features[at]!);
    requireColumn(planned ?? undeclared(features[at]!), at, encoding);
    at += planned?.features.length ?? 1;
  }
  requireTarget(schema, encoding);
}

function requireTarget({ target }: DataSchema, { target: { scale }, table }: DataEncoding): void {
  const number = target?.kind === "number" ? target : undefined;
  const range = number?.range ?? undefined;
  const pooled = table?.targetPooled === true;
  requireRange("the target", range, { scale, range: table?.targetRange, pooled });
  if (!range) return;
  const { held } = targetScaleOf(range, number?.outside ?? "keep", number?.limits);
  requireHeld("the target", held!, scale?.held);
}

/** What all learn the size of must be there as it is: a vote on what one owner had scaled says nothing of the others' values. */
function requireRaw(encoding: DataEncoding, learned: readonly number[]): void {
  const { columns, target } = encoding;
  for (const at of learned) {
    const column = columns[at];
    const { scale } = column ?? target;
    if (scale === null) continue;
    const where = column ? `column ${JSON.stringify(column.name)}` : "the target";
    throw new DataError(
      `${where}: the plan declares nothing of it, so that its size is learned from all owners' raw values, and your rows were prepared ` +
        `with ${preparedText(column?.name, scale, encoding)}; nothing was sent. Give them raw (join without --ranges), or have the plan say in ` +
        'its schema what is publicly known, or scale: "declared" (--scale declared) if every participant declares all columns itself',
    );
  }
}

/** @param name of a feature, or the target's undefined. */
function preparedText(name: string | undefined, scale: Scale, { table }: DataEncoding): string {
  if (name === undefined) {
    return foundText({ scale, range: table?.targetRange, pooled: table?.targetPooled === true });
  }
  const own = table?.columns.find(({ column }) => column === name);
  const number = own?.kind === "number" ? own : undefined;
  if (!number && sameScale(UNIT_SCALE, scale)) return "0 and 1, as levels of a category are";
  return foundText({ scale, range: number?.range, pooled: number?.pooled === true });
}

/** What one owner declares others would not know of, and conclude otherwise from the same releases. */
function requireNonePerTask({ columns }: DataEncoding): void {
  const own = columns.find(({ perTask }) => perTask);
  if (!own) return;
  throw new DataError(
    `column ${JSON.stringify(own.name)}: your rows declare it perTask, and the plan has no schema that says so to all; nothing was sent. ` +
      "Have the plan say it in a schema, or take it out of your declaration",
  );
}

/** What is done after columns were read is the plan's to say, too. */
function requireOnlyScaled({ pipeline }: DataEncoding): void {
  const other = pipeline?.transforms.find(
    (transform) => transform.kind !== "standardize" || transform.scope !== "declared",
  );
  if (!other) return;
  throw new DataError(
    `your rows went through a pipeline (${other.kind}), and the plan's schema and its normalize say all that is done to them; ` +
      "give the tasks as they were before it",
  );
}

/** Of a feature that a schema of the target alone says nothing of: read as it is. */
const undeclared = (feature: string): DeclaredColumn => ({
  column: feature,
  encoding: { kind: "number", column: feature },
  features: [feature],
});

/** @param at position of the column's first feature. */
function requireColumn(
  { column, encoding: planned, features }: DeclaredColumn,
  at: number,
  { columns, table }: DataEncoding,
): void {
  const where = `column ${JSON.stringify(column)}`;
  const own = table?.columns.find((one) => one.column === column);
  const number = own?.kind === "number" ? own : undefined;
  features.forEach((_, k) => {
    // Features but a column's own numbers are 0 or 1, and need no scale.
    const isOwn = planned.kind === "number" && k === 0;
    requireRange(where, isOwn ? planned.range : undefined, {
      scale: columns[at + k]!.scale,
      range: isOwn ? number?.range : undefined,
      pooled: isOwn && number?.pooled === true,
    });
    requirePerTask(where, planned, columns[at + k]!);
  });
  // Of rows of arrays nobody knows where values were held.
  if (planned.kind === "number" && planned.range && number?.range) {
    const { range, outside } = number;
    requireHeld(where, heldWithin(planned.range, planned.outside), heldWithin(range, outside));
  }
  if (own) requireLevels(where, planned, own);
}

function requirePerTask(where: string, planned: ColumnEncoding, { perTask }: EncodedColumn): void {
  const isPlanned = encodesPerTask(planned);
  if (isPlanned === (perTask === true)) return;
  throw otherwise(where, isPlanned ? "perTask" : "no perTask", perTask ? "perTask" : "none");
}

/** What a participant's values were scaled by. */
interface Found {
  readonly scale: Scale | null;
  readonly range: Range | undefined;
  /** Whether it came from the rows, so that no message may hold it. */
  readonly pooled: boolean;
}

function requireRange(where: string, planned: Range | undefined, found: Found): void {
  const { scale } = found;
  const isSame = planned
    ? scale !== null && sameScale(scaleOf(planned), scale)
    : scale === null || sameScale(UNIT_SCALE, scale);
  if (isSame) return;
  throw otherwise(where, planned ? rangeText(planned) : "no range", foundText(found));
}

/** Values beyond, as of `outside` and of a target's `limits`, are taken at the ends; predictions of a target are held there, too. */
function requireHeld(where: string, planned: Range, found: Range | undefined): void {
  const { halfWidth } = scaleOf(planned);
  const isSame = planned.every(
    (end, k) => Math.abs(end - (found?.[k] ?? NaN)) <= CLOSE * halfWidth,
  );
  if (isSame) return;
  const text = (held: Range) => `values held within [${held.join(", ")}]`;
  throw otherwise(
    where,
    `${text(planned)} (by range, outside and limits)`,
    found ? text(found) : "none held",
  );
}

function requireLevels(where: string, planned: ColumnEncoding, own: ColumnEncoding): void {
  if (planned.kind !== "category") return;
  const isSame =
    own.kind === "category" &&
    own.omitFirst === planned.omitFirst &&
    own.levels.length === planned.levels.length &&
    own.levels.every((level, at) => level === planned.levels[at]);
  if (isSame) return;
  const { levels } = planned;
  // Levels that were found by looking are data.
  const found =
    own.kind !== "category"
      ? "no levels"
      : own.levels.length === levels.length
        ? "others, or another order"
        : `${own.levels.length}`;
  throw otherwise(where, `${levels.length} levels (${someNames(levels)})`, found);
}

const sameScale = (a: Scale, b: Scale): boolean =>
  Math.abs(a.center - b.center) <= CLOSE * (a.halfWidth + Math.abs(a.center)) &&
  Math.abs(a.halfWidth - b.halfWidth) <= CLOSE * a.halfWidth;

const rangeText = ([min, max]: Range): string => `the range [${min}, ${max}]`;

function foundText({ scale, range, pooled }: Found): string {
  if (pooled) return "a range that was taken from them";
  if (range) return rangeText(range);
  if (scale === null) return "no range";
  const { center, halfWidth } = scale;
  return rangeText([center - halfWidth, center + halfWidth]);
}

const otherwise = (where: string, planned: string, found: string): DataError =>
  new DataError(
    `${where}: the plan's schema has ${planned}, and your rows were prepared with ${found}; nothing was sent. Read them by the ` +
      "plan's schema: tasksFromTable(table, { schema: plan.schema }), or join without --ranges",
  );
