/**
 * What a task set knows of its own making: where each column's scale, the labels and the levels come
 * from, and how rows to predict are to be prepared alike.
 * @module
 */
import { array } from "../../core/checks.js";
import type { Scale } from "../columns/scale.js";
import type { PipelineState } from "./pipeline-state.js";
import type { Provenance, EncodedColumn } from "../columns/encoded-column.js";
import type { TableEncodingState } from "./table-encoding-state.js";

/** The target. */
export interface EncodedTarget {
  /** y = (raw - center) / halfWidth; null where y is raw, or labels. */
  readonly scale: Scale | null;
  /** Unit of the raw values, where it was declared. */
  readonly unit?: string | undefined;
  /** Whether `targetLevels` were declared: then they are public and need not occur. */
  readonly levelsDeclared: boolean;
}

/** What is known of a task set's features and target; plain data. */
export interface DataEncoding {
  /** d entries, in the order of the features. */
  readonly columns: readonly EncodedColumn[];
  /** What is known of the target. */
  readonly target: EncodedTarget;
  /** What preparing the data relied on, and from whose rows. */
  readonly provenance: readonly Provenance[];
  /** How the columns of a table became features; null for arrays. */
  readonly table: TableEncodingState | null;
  /** Transforms after that; null where there are none. */
  readonly pipeline: PipelineState | null;
}

/** Of arrays that the caller made: raw units, nothing learned here. @param perTask names of features declared so. */
export function rawEncoding(
  featureNames: readonly string[],
  target: Partial<EncodedTarget> = {},
  perTask: readonly string[] = [],
): DataEncoding {
  return {
    columns: featureNames.map((name) => ({
      name,
      scale: null,
      ...(perTask.includes(name) ? { perTask: true as const } : {}),
    })),
    target: { scale: null, levelsDeclared: false, ...target },
    provenance: [],
    table: null,
    pipeline: null,
  };
}

/** The same tasks with features of the caller's making: what was known of the old ones is gone. */
export function withoutColumns(
  encoding: DataEncoding,
  featureNames: readonly string[],
): DataEncoding {
  const { columns } = rawEncoding(array("featureNames", featureNames));
  return { ...encoding, columns, table: null, pipeline: null };
}
