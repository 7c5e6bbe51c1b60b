/**
 * Whether arrays that are given away as a task set fit together: lengths, offsets and names, not values.
 * @module
 */
import type { TaskArrays } from "./task-arrays.js";
import { checkFeatureNames } from "./feature-names.js";

/** Names that were found to be unique, and cannot change. */
const known = new WeakSet<readonly string[]>();

/** @throws RangeError if the lengths do not fit together, a task has no row, or a name is there twice. */
export function checkArrays(arrays: TaskArrays): void {
  const { x, sparse, y, offsets, names, featureNames, persons = y, sampleWeights = y } = arrays;
  const rows = offsets[names.length];
  const sized = [y, persons, sampleWeights].every(({ length }) => length === rows);
  const lengths = offsets.length === names.length + 1 && offsets[0] === 0 && sized;
  const features = sparse
    ? x === undefined && sparse.starts.length === rows! + 1
    : x?.length === rows! * featureNames.length;
  if (names.length === 0 || !lengths || !features) {
    throw new RangeError(
      `arrays: expected offsets [m + 1] from 0 to N, y [N], x [N, d]; got ${names.length} names, ` +
        `${offsets.length} offsets, ${y.length} targets, ${x?.length ?? "no"} entries of x, ` +
        `${featureNames.length} features`,
    );
  }
  for (let i = 1; i < offsets.length; i++) {
    if (offsets[i]! > offsets[i - 1]!) continue;
    throw new RangeError("offsets: expected every task to have at least one row");
  }
  const { standFor } = arrays;
  if (standFor && (standFor.length !== names.length || !standFor.every((n) => n >= 1))) {
    throw new RangeError("standFor: expected a number of rows for each task");
  }
  if (!known.has(featureNames)) {
    checkFeatureNames(featureNames, featureNames.length);
    if (Object.isFrozen(featureNames)) known.add(featureNames);
  }
  if (arrays.encoding && arrays.encoding.columns.length !== featureNames.length) {
    throw new RangeError(
      `encoding: expected ${featureNames.length} columns, got ${arrays.encoding.columns.length}`,
    );
  }
  if (new Set(names).size !== names.length) {
    throw new RangeError("names: expected every task's name to be unique");
  }
}
