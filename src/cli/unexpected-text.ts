/**
 * What an encoding met that it did not expect, for whoever owns the rows.
 * @module
 */
import { counted } from "../core/counted.js";
import type { UnexpectedValues } from "../data/index.js";

/** How each kind is told, after its count. */
export interface UnexpectedWords {
  readonly clipped: string;
  readonly unseen: string;
}

/** A line for every column that has any, in the order in which they were met; counts are of all tasks together. */
export function unexpectedLines(
  unexpected: readonly UnexpectedValues[],
  words: UnexpectedWords,
): string[] {
  const columns = new Map<string, Record<keyof UnexpectedWords, number>>();
  for (const { column, clipped, unseen } of unexpected) {
    const sums = columns.get(column) ?? { clipped: 0, unseen: 0 };
    columns.set(column, { clipped: sums.clipped + clipped, unseen: sums.unseen + unseen });
  }
  const told = (count: number, text: string) =>
    count > 0 ? [`${counted(count, "value")} ${text}`] : [];
  return [...columns].map(([name, { clipped, unseen }]) => {
    const parts = [...told(clipped, words.clipped), ...told(unseen, words.unseen)];
    return `column ${JSON.stringify(name)}: ${parts.join(", ")}`;
  });
}
