/**
 * Effects of columns on which tasks voted, where the votes left open where the values lie.
 * @module
 */

/**
 * The component of a model in which such columns are: positions of coordinates, the constant among them, ascending. Around a place that is far
 * off a column hardly varies, and its effect may be hundreds of times its reckoned error away, so none is stated. Absent from other models.
 */
export const UNPLACED = "unplaced";
