/**
 * The target's column: a number, as it is or scaled by its declared range, or labels.
 * @module
 */
import { oneOf } from "../../core/checks.js";
import { DataError } from "../../core/errors.js";
import { canonicalLevel, levelsIn, observedLevels, positionsOf } from "../columns/categorical.js";
import type { Groups } from "../table/groups.js";
import { refuseSlips } from "../columns/infer-kinds.js";
import { targetScaleOf } from "../columns/held-target.js";
import { checkLimits, isBeyond, type Limits } from "../columns/limits.js";
import {
  checkRange,
  heldWithin,
  toUnit,
  type Outside,
  type Range,
  type Scale,
} from "../columns/scale.js";
import type { TargetDeclaration } from "./schema.js";
import type { Table } from "../table/table.js";
import type { Provenance } from "../columns/encoded-column.js";
import type { Label } from "../columns/label.js";

/** What is asked for of the target. */
export interface TargetRequest {
  readonly column: string;
  readonly kind: "auto" | "number" | "label";
  readonly declared: TargetDeclaration | undefined;
}

/** A fitted target column; plain JSON. */
export interface TargetEncoding {
  /** Name of the target's column. */
  readonly target: string;
  /** Whether it is a number or a label. */
  readonly targetKind: "number" | "label";
  /** Declared: it is brought to [-1, 1]. Absent: raw units. */
  readonly targetRange?: Range;
  /** Unit of the raw values, where it was declared. */
  readonly targetUnit?: string;
  /** What it cannot be less or more than; absent: any number. */
  readonly targetLimits?: Limits;
  /** What is done with values outside the range; absent: "clip", as was done before there was a choice. */
  readonly targetOutside?: Outside;
  /** Labels of the target, in the order in which models number them; absent: those that occur. */
  readonly targetLevels?: readonly string[];
  /** Whether range or levels were taken from the data of all tasks instead of declared. */
  readonly targetPooled?: boolean;
  /** Rows without a target; absent: as the table's missing values. */
  readonly targetMissing?: "refuse" | "drop";
}

/** @throws DataError for a column of numbers with a slip, and for a declaration that does not fit. */
export function fitTarget(table: Table, { column, kind, declared }: TargetRequest): TargetEncoding {
  oneOf("targetKind", kind, ["auto", "number", "label"]);
  table.column(column);
  const shared = {
    target: column,
    ...(declared?.missing ? { targetMissing: declared.missing } : {}),
    ...(declared?.declared === false ? { targetPooled: true } : {}),
  };
  if (declared?.kind === "category")
    return { ...shared, ...declaredLabels(column, kind, declared) };
  if (declared?.kind === "number") {
    if (kind === "label") {
      throw new DataError(
        `column ${JSON.stringify(column)}: the target is declared a number, and the loss is about labels: ` +
          'declare it as { "kind": "category", "levels": [...] }, or choose --loss squared.',
      );
    }
    const { range, unit, outside = "keep", limits } = declared;
    const checked = range ? checkRange("target: range", range) : undefined;
    return {
      ...shared,
      targetKind: "number",
      ...(checked ? { targetRange: checked } : {}),
      ...(limits ? { targetLimits: checkLimits("target: limits", limits, checked) } : {}),
      ...(unit === undefined ? {} : { targetUnit: unit }),
      ...(range && outside !== "clip" ? { targetOutside: outside } : {}),
    };
  }
  if (kind !== "auto") return { ...shared, targetKind: kind };
  refuseSlips(table, column, "if the target holds labels, declare them in a --ranges file.");
  return { ...shared, targetKind: table.isNumeric(table.column(column)) ? "number" : "label" };
}

function declaredLabels(
  column: string,
  kind: TargetRequest["kind"],
  { levels }: TargetDeclaration & { kind: "category" },
): Pick<TargetEncoding, "targetKind" | "targetLevels"> {
  const quoted = JSON.stringify(column);
  if (kind === "number") {
    throw new DataError(
      `column ${quoted}: the target is declared a category, and the loss is about numbers: declare it a ` +
        "number, or choose --loss logistic (two labels) or softmax (several).",
    );
  }
  if (!levels) return { targetKind: "label" };
  return { targetKind: "label", targetLevels: labelTexts(column, levels) };
}

/** Declared labels as a table's cells spell them. @throws DataError if there are not two different ones. */
export function labelTexts(column: string, levels: readonly (string | number)[]): string[] {
  const texts = levels.map((level) => canonicalLevel(String(level)));
  if (texts.length < 2 || new Set(texts).size !== texts.length) {
    throw new DataError(
      `column ${JSON.stringify(column)}: levels: expected at least two different labels.`,
    );
  }
  return texts;
}

/** The public scale of the target, and where it is held; null in raw units. */
export function targetScale(encoding: TargetEncoding): Scale | null {
  const { targetRange, targetOutside, targetLimits } = encoding;
  return targetRange ? targetScaleOf(targetRange, targetOutside, targetLimits) : null;
}

/** Whose rows the target's encoding was learned from. */
export function targetProvenance(encoding: TargetEncoding): Provenance[] {
  const { target, targetRange, targetLimits, targetLevels, targetPooled } = encoding;
  const name = JSON.stringify(target);
  const [from, over] = targetPooled
    ? (["pooled", " observed over all tasks"] as const)
    : (["declared", ""] as const);
  return [
    ...(targetPooled && !targetRange && !targetLevels
      ? [{ what: `kind of the target ${name}${over}`, from }]
      : []),
    ...(targetRange ? [{ what: `range of the target ${name}${over}`, from }] : []),
    ...(targetLimits ? [{ what: `limits of the target ${name}`, from }] : []),
    ...(targetLevels ? [{ what: `labels of the target ${name}${over}`, from }] : []),
  ];
}

/**
 * The targets of the rows of `groups`.
 * @throws DataError naming line and column of a cell that is no number, outside a range where
 *         that is refused, or none of the declared labels.
 */
export function encodeTargets(encoding: TargetEncoding, table: Table, groups: Groups) {
  const { target, targetKind } = encoding;
  return targetKind === "number"
    ? encodeNumbers(encoding, table, groups)
    : { ...encodeLabels(encoding, table, groups.rows, target), clipped: [] };
}

function encodeNumbers(encoding: TargetEncoding, table: Table, groups: Groups) {
  const { target, targetRange: range, targetOutside, targetLimits } = encoding;
  const hint = " Labels are fitted with --loss logistic (two) or softmax (several).";
  const values = table.numbers(target, hint);
  const { names, offsets, rows } = groups;
  if (!range) return { y: Float64Array.from(rows, (row) => values[row]!), clipped: [] };
  const ends = heldWithin(range, targetOutside);
  const counts = names.map(() => 0);
  let task = 0;
  const y = Float64Array.from(rows, (row, at) => {
    while (offsets[task + 1]! <= at) task++;
    const value = values[row]!;
    if (targetLimits && isBeyond(value, targetLimits)) {
      throw new DataError(
        `${table.place(row, target)}: the value is beyond the declared limits: mend the cell, or the limits in the schema.`,
      );
    }
    if (value < ends[0] || value > ends[1]) {
      if (targetOutside === "refuse") {
        throw new DataError(
          `${table.place(row, target)}: the value is outside the declared range.`,
        );
      }
      counts[task]!++;
    }
    return toUnit(range, value, targetOutside);
  });
  const clipped = counts.flatMap((count, i) =>
    count > 0 ? [{ task: names[i]!, column: target, clipped: count, unseen: 0 }] : [],
  );
  return { y, clipped };
}

function encodeLabels(
  { targetLevels }: TargetEncoding,
  table: Table,
  rows: Uint32Array,
  target: string,
): { y: Float64Array; targetLevels: readonly Label[] } {
  const levels = targetLevels ?? observedLevels(table, target);
  const position = positionsOf(levels, table);
  const texts = levelsIn(table, target);
  const y = Float64Array.from(rows, (row) => {
    const at = position.get(texts[row]!);
    if (at !== undefined) return at;
    throw new DataError(
      `${table.place(row, target)}: the label is not one of the ${levels.length} that were declared.`,
    );
  });
  return { y, targetLevels: levels };
}
