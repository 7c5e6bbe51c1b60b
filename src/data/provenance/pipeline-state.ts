/**
 * A pipeline as a model file holds it.
 * @module
 */
import type { FileFormat } from "../../core/file-format.js";
import type { Transform } from "./transform.js";

/** A pipeline as a model file holds it. */
export interface PipelineState extends FileFormat {
  /** Features that go in. */
  readonly features: readonly string[];
  /** In the order in which they are done. */
  readonly transforms: readonly Transform[];
}
