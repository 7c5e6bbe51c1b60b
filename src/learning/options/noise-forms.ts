/**
 * The forms in which a release's noise can be drawn.
 * @module
 */

/** What the `noise` option takes: exact where a mechanism has such a form, exact or none, or floating-point numbers. */
export const NOISE_FORMS = ["auto", "exact", "float"] as const;

/** One of them. */
export type NoiseForm = (typeof NOISE_FORMS)[number];
