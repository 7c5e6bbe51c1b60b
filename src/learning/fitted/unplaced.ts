/**
 * Effects of columns on which tasks voted, where the votes left open where the values lie or how large they are.
 * @module
 */

/**
 * The component of a model in which such columns are: positions of coordinates, the constant among them, ascending. Around a place that is far
 * off a column hardly varies, and in units of a size that is far too large its effect is held near zero: it may be up to 1e7 times its reckoned error
 * away, so none is stated. Absent from other models.
 */
export const UNPLACED = "unplaced";
