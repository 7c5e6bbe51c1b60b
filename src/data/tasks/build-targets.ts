/**
 * The targets of the caller's arrays: numbers, scaled by a declared range, or labels as positions.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { kindOf } from "../../core/messages/kind-of.js";
import { checkLimits, isBeyond, type Limits } from "../columns/limits.js";
import { checkRange, toUnit, type Range } from "../columns/scale.js";
import type { Label } from "../columns/label.js";
import type { BuildOptions, TaskArrays, TaskInput } from "./task-arrays.js";

/** Copies the targets; strings and booleans become positions among their sorted levels. */
export function buildTargets(
  inputs: readonly TaskInput[],
  offsets: Uint32Array,
  { labels, targetRange, targetLimits }: BuildOptions,
): Pick<TaskArrays, "y" | "targetLevels"> {
  const y = new Float64Array(offsets[inputs.length]!);
  const type = typeof inputs[0]!.y[0];
  if (type !== "number" && type !== "string" && type !== "boolean") {
    throw new TypeError(
      `task ${JSON.stringify(inputs[0]!.name)}, row 0: y: expected a number, a string or a boolean, got ${kindOf(inputs[0]!.y[0])}`,
    );
  }
  checkTargetOptions(type, labels, targetRange, targetLimits);
  const levels = new Set<Label>();
  forEachTarget(inputs, (value, place) => {
    if (typeof value !== type) {
      throw new TypeError(`${place}: y: expected a ${type} as before, got ${kindOf(value)}`);
    }
    if (type === "number" && !Number.isFinite(value)) {
      throw new DataError(
        `${place}: y: expected a finite number, got ${Number.isNaN(value) ? "NaN" : "an infinity"}.`,
      );
    }
    if (targetLimits && isBeyond(value as number, targetLimits)) {
      throw new DataError(`${place}: y: the value is beyond targetLimits.`);
    }
    if (labels && !labels.includes(value)) {
      throw new DataError(`${place}: y: not one of the ${labels.length} declared labels.`);
    }
    if (type !== "number") levels.add(value);
  });
  const sorted = labels ?? [...levels].sort((a, b) => (a < b ? -1 : 1));
  const position = new Map(sorted.map((level, at) => [level, at]));
  inputs.forEach((input, i) => {
    const at = offsets[i]!;
    for (let row = 0; row < input.y.length; row++) {
      const value = input.y[row] as Label;
      y[at + row] = labels || type !== "number" ? position.get(value)! : (value as number);
    }
  });
  if (targetRange) y.forEach((value, row) => (y[row] = toUnit(targetRange, value, "keep")));
  return type === "number" && !labels ? { y } : { y, targetLevels: sorted };
}

function checkTargetOptions(
  type: string,
  labels: readonly Label[] | undefined,
  range: Range | undefined,
  limits: Limits | undefined,
): void {
  if (labels && (!Array.isArray(labels) || labels.length < 2)) {
    throw new DataError("labels: expected an array of at least two labels.");
  }
  if (labels && new Set(labels).size !== labels.length) {
    throw new DataError("labels: a label is declared twice.");
  }
  if (range) checkRange("targetRange", range);
  if (limits !== undefined) checkLimits("targetLimits", limits, range);
  if (!range) return;
  if (type !== "number" || labels) {
    throw new DataError("targetRange: the target holds labels; a range goes with numbers.");
  }
}

function forEachTarget(
  inputs: readonly TaskInput[],
  visit: (value: Label, place: string) => void,
): void {
  for (const { name, y } of inputs) {
    const place = JSON.stringify(name);
    for (let row = 0; row < y.length; row++) visit(y[row] as Label, `task ${place}, row ${row}`);
  }
}
