/**
 * What is known of one feature, and where it is known from.
 * @module
 */
import type { Scale } from "./scale.js";

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
  /** Name of the feature. */
  readonly name: string;
  /**
   * The public numbers by which the feature was brought to [-1, 1]; { center: 0, halfWidth: 1 } for
   * what is of that size by its making (dummies, rows of unit length, standardised columns). null: the
   * feature is in raw units and nothing public is known of its size.
   */
  readonly scale: Scale | null;
  /** Unit of the raw values, where it was declared. */
  readonly unit?: string | undefined;
  /** Present where it was declared to be the same in all rows of a task. */
  readonly perTask?: true;
}
