/**
 * A table as training and test rows.
 * @module
 */
import { splitEncoded, type Table, type TableEncoding } from "../../../src/data/index.js";
import { taskArrays } from "../../../src/model/index.js";
import type { SplitData } from "./messages.js";

/** Part of each task's rows that models are tested on; they are fitted on the others. */
export const TEST_FRACTION = 0.5;

/** The seed of the k-th split, counted from 0. */
export const seedOf = (split: number) => (split === 0 ? "page" : `page/${split}`);

interface SplitOptions extends Pick<SplitData, "loss" | "scaling" | "clip"> {
  /** Column with each row's task. */
  readonly task: string;
  readonly split: number;
}

/** Splits within tasks as the command line does; gaps are filled by the training rows alone. */
export function splitOf(
  encoding: TableEncoding,
  table: Table,
  { task, split, ...rest }: SplitOptions,
): SplitData {
  const asked = { task, testFraction: TEST_FRACTION, seed: seedOf(split) };
  const { train, test, dropped } = splitEncoded(encoding, table, asked);
  return {
    train: taskArrays(train),
    test: taskArrays(test.select(test.names.filter((name) => train.has(name)))),
    ...rest,
    dropped,
  };
}
