/** What `ownRidge` is asked: data, the grid of variances, and where models go. */
import { TaskData } from "./task-data";

/** As src/learning/tasks/own-models/own-ridge.ts writes it. */
@unmanaged
export class OwnRidge {
  /** What targets are divided by; 0 for the deviation of a task's own. */
  unit: f64;
  data: TaskData;
  /** Whether rows are centred. */
  centred: i32;
  /** By what features of declared ranges are multiplied, f64[d]; 0: features have the scale of a task's own rows. */
  declared: usize;
  /** Whether targets are centred: the intercept has no prior. */
  flat: i32;
  /** f64[ratioCount]; 0 alone: no column for the intercept. */
  ratios: usize;
  ratioCount: i32;
  /** f64[2, slopeCount] and f64[2, noiseCount], two at least: variances, and their logarithms. */
  slopes: usize;
  slopeCount: i32;
  noise: usize;
  noiseCount: i32;
  /** f64[shiftCount], an even number, the least first: t of slopes s and noise e is at slopeCount - 1 - s + e. */
  shifts: usize;
  shiftCount: i32;
  /** Log prior f64[ratioCount, slopeCount, noiseCount]. */
  priors: usize;
  /** W f64[m, d], and b f64[m] or 0 for none. */
  weights: usize;
  intercepts: usize;
  /** `ownRidgeWorkspace` bytes. */
  work: usize;
  /** Entries in the places of the tasks: models are theirs. 0: none. Rows then have no weights. */
  entries: usize;
  /** `leftRowsBytes` bytes where there are entries. */
  left: usize;
  /** `foldRidgeWorkspace` bytes, for `foldRidge`. */
  lanes: usize;
}
