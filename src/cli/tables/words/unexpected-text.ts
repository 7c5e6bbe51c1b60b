/**
 * What an encoding met that it did not expect, for whoever owns the rows.
 * @module
 */
import { counted } from "../../../core/messages/counted.js";
import type { UnexpectedValues } from "../../../data/index.js";
import { unexpectedByColumn } from "../../../data/encode/unexpected-values.js";

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
  const told = (count: number, text: string) =>
    count > 0 ? [`${counted(count, "value")} ${text}`] : [];
  return [...unexpectedByColumn(unexpected)].map(([name, { clipped, unseen }]) => {
    const parts = [...told(clipped, words.clipped), ...told(unseen, words.unseen)];
    return `column ${JSON.stringify(name)}: ${parts.join(", ")}`;
  });
}

/** Of numbers that an encoding held. */
export const HELD = "too far outside the declared range, held nearer";

/** Of rows that a model is scored on. */
export function unexpectedInTest(unexpected: readonly UnexpectedValues[]): string[] {
  return unexpectedLines(unexpected, {
    clipped: HELD,
    unseen: "missing or that training did not have, 0 in its columns",
  });
}
