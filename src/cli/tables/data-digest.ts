/**
 * A digest of a task set's data, whatever file they came from.
 * @module
 */
import { createHash } from "node:crypto";
import type { TaskSet } from "../../data/index.js";

/** Hexadecimal digits that tell two task sets apart. */
export function dataDigest(tasks: TaskSet): string {
  const { sparse, y, offsets, sampleWeights, standFor } = tasks;
  const hash = createHash("sha256");
  if (sparse) hash.update(sparse.starts).update(sparse.columns).update(sparse.values);
  else hash.update(tasks.x);
  hash.update(y).update(offsets);
  if (sampleWeights) hash.update(sampleWeights);
  if (standFor) hash.update(standFor);
  return hash.digest("hex");
}
