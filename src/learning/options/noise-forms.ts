/**
 * The forms in which a release's noise can be drawn.
 * @module
 */

/** The `noise` option. */
export type NoiseForm = "auto" | "exact" | "float";

export const NOISE_FORMS: readonly NoiseForm[] = ["auto", "exact", "float"];
