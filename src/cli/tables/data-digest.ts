/**
 * A digest of a task set's data, and of what is said of them, whatever file they came from.
 * @module
 */
import { createHash } from "node:crypto";
import type { TaskSet } from "../../data/index.js";

/** Hexadecimal digits that tell two task sets apart. */
export function dataDigest(tasks: TaskSet): string {
  const { sparse, y, offsets, sampleWeights, standFor, persons } = tasks;
  const { names, featureNames, targetLevels } = tasks;
  const { columns, target, provenance } = tasks.encoding;
  const hash = createHash("sha256");
  if (sparse) hash.update(sparse.starts).update(sparse.columns).update(sparse.values);
  else hash.update(tasks.x);
  hash.update(y).update(offsets);
  if (sampleWeights) hash.update(sampleWeights);
  if (standFor) hash.update(standFor);
  if (persons) hash.update(persons);
  // By its name an owner has a budget of its own; what was learned from all rows is said of a model.
  hash.update(JSON.stringify([names, featureNames, targetLevels, columns, target, provenance]));
  return hash.digest("hex");
}
