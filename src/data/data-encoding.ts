/**
 * What a task set knows of its own making: where each column's scale, the labels and the levels come
 * from, and how rows to predict are to be prepared alike.
 * @module
 */
import type { PipelineState } from "./pipeline.js";
import type { Scale } from "./scale.js";
import type { TableEncodingState } from "./table-encoding.js";

/** Something that preparing the data relied on, and whose rows it was learned from. */
export interface Provenance {
  /** In words: `levels of the column "ward"`. */
  readonly what: string;
  /**
   * "declared": public knowledge. "task": each task's from its own rows. "pooled": from the rows of
   * several tasks together and used by all; charged to no budget, so a private fit lists it under
   * `guarantee.notCharged`.
   */
  readonly from: "declared" | "task" | "pooled";
}

/** One feature. */
export interface EncodedColumn {
  readonly name: string;
  /**
   * The public numbers by which the feature was brought to [-1, 1]; { center: 0, halfWidth: 1 } for
   * what is of that size by its making (dummies, rows of unit length, standardised columns). null: the
   * feature is in raw units and nothing public is known of its size.
   */
  readonly scale: Scale | null;
  /** Unit of the raw values, where it was declared. */
  readonly unit?: string | undefined;
}

/** The target. */
export interface EncodedTarget {
  /** y = (raw - center) / halfWidth; null where y is raw, or labels. */
  readonly scale: Scale | null;
  readonly unit?: string | undefined;
  /** Whether `targetLevels` were declared: then they are public and need not occur. */
  readonly levelsDeclared: boolean;
}

/** What is known of a task set's features and target; plain data. */
export interface DataEncoding {
  /** d entries, in the order of the features. */
  readonly columns: readonly EncodedColumn[];
  readonly target: EncodedTarget;
  readonly provenance: readonly Provenance[];
  /** How the columns of a table became features; null for arrays. */
  readonly table: TableEncodingState | null;
  /** Transforms after that; null where there are none. */
  readonly pipeline: PipelineState | null;
}

/** Of arrays that the caller made: raw units, nothing learned here. */
export function rawEncoding(
  featureNames: readonly string[],
  target: Partial<EncodedTarget> = {},
): DataEncoding {
  return {
    columns: featureNames.map((name) => ({ name, scale: null })),
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
  const { columns } = rawEncoding(featureNames);
  return { ...encoding, columns, table: null, pipeline: null };
}

/** Column names for a message, the first few of many. */
export function someNames(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).map((name) => JSON.stringify(name));
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return shown.join(", ") + more;
}
