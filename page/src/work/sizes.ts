/**
 * What of loaded data is public: numbers of tasks, features, classes and rows, and of columns nobody declared.
 * @module
 */
import { targetsOf } from "../../../src/learning/tasks/targets.js";
import { undeclaredColumns } from "../../../src/learning/release/public-sizes.js";
import type { LoadedData, SplitData } from "./messages.js";
import { prepareFor } from "./prepare.js";

/** A method that learns the sizes of columns that nobody declared. */
const LEARNS_SIZES = "mp-mixed";

/** The same data, with its sizes. */
export function withSizes(data: SplitData): LoadedData {
  const { loss } = data;
  const { train } = prepareFor(LEARNS_SIZES, data);
  const { m, d } = train;
  const sizes = {
    m,
    d,
    rowsPerTask: data.train.y.length / m,
    classes: loss === "squared" ? undefined : targetsOf(train, loss).classes?.length,
    undeclared: undeclaredColumns(train, loss),
  };
  return { ...data, sizes };
}
