/**
 * Columns that no task's rows differ in.
 * @module
 */
import type { Groups } from "../../table/groups.js";

/** Whether a column of such cells is the same in all rows of every task. */
export function isConstantWithin(texts: readonly string[], { names, offsets, rows }: Groups) {
  return names.every((_, i) => {
    const first = texts[rows[offsets[i]!]!];
    return rows.subarray(offsets[i], offsets[i + 1]).every((row) => texts[row] === first);
  });
}

/** With fewer, each having a text of its own says nothing. */
const FEWEST_NAMED = 5;

/** Whether such a column names the tasks once more, as addresses of hospitals do: every task has one text, and no other has it. */
export function namesTasksToo(texts: readonly string[], groups: Groups): boolean {
  const { names, offsets, rows } = groups;
  const firsts = new Set(names.map((_, i) => texts[rows[offsets[i]!]!]));
  const own = names.length >= FEWEST_NAMED && firsts.size === names.length && !firsts.has("");
  return own && rows.length > names.length && isConstantWithin(texts, groups);
}

/** Whether that tells of the column: tasks differ in it, and some has several rows. */
export const seemsPerTask = (texts: readonly string[], groups: Groups): boolean =>
  groups.rows.length > groups.names.length &&
  texts.some((text) => text !== texts[0]) &&
  isConstantWithin(texts, groups);
