/**
 * By what participants see that they read their tables by one schema, where the plan has none.
 * @module
 */
import { createHash } from "node:crypto";
import { readBytes } from "../../node/index.js";

/** The event and its line: the file's SHA-256, as `sha256sum` prints it. */
export async function schemaLine(
  file: string,
): Promise<[{ kind: "schema"; sha256: string }, string]> {
  const sha256 = createHash("sha256")
    .update(await readBytes(file))
    .digest("hex");
  return [
    { kind: "schema", sha256 },
    `columns are read as ${file} says, SHA-256 ${sha256}: all participants need the same`,
  ];
}
