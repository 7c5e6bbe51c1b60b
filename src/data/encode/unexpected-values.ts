/**
 * What an encoding met that it did not expect.
 * @module
 */

/** Values that an encoding did not expect, of one task: for its owner, since no budget paid for them. */
export interface UnexpectedValues {
  /** Name of the task. */
  readonly task: string;
  /** Name of the column, the target's among them. */
  readonly column: string;
  /** Numbers too far outside the declared range, or outside where that is asked for, which were held at a limit. */
  readonly clipped: number;
  /** Categories that are none of the levels, which became zeros. */
  readonly unseen: number;
}

/** The same of all tasks together, by column in the order in which they were met. */
export function unexpectedByColumn(
  found: readonly UnexpectedValues[],
): Map<string, Pick<UnexpectedValues, "clipped" | "unseen">> {
  const columns = new Map<string, { clipped: number; unseen: number }>();
  for (const { column, clipped, unseen } of found) {
    const sums = columns.get(column) ?? { clipped: 0, unseen: 0 };
    columns.set(column, { clipped: sums.clipped + clipped, unseen: sums.unseen + unseen });
  }
  return columns;
}

/** Values that were not expected, by column and the task's position. */
export class UnexpectedCounts {
  readonly #names: readonly string[];
  readonly found: UnexpectedValues[] = [];

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Counts while a column is encoded. */
  of(
    column: string,
    encode: (told: {
      readonly clipped: (task: number) => void;
      readonly unseen: (task: number) => void;
    }) => void,
  ): void {
    const counts = new Map<number, { clipped: number; unseen: number }>();
    const count = (task: number, what: "clipped" | "unseen") => {
      const own = counts.get(task) ?? { clipped: 0, unseen: 0 };
      own[what]++;
      counts.set(task, own);
    };
    encode({
      clipped: (task) => count(task, "clipped"),
      unseen: (task) => count(task, "unseen"),
    });
    const inOrder = [...counts].sort(([one], [other]) => one - other);
    for (const [i, own] of inOrder) this.found.push({ task: this.#names[i]!, column, ...own });
  }
}
