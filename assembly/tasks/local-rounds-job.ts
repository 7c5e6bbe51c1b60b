/** What rounds of local steps towards a shared model are asked, and the pull of that model on one task's own. */
import { addScaled } from "../blas/vector";
import { TaskData } from "./task-data";

/** As src/learning/steps/local-rounds.ts writes it. */
@unmanaged
export class LocalRounds {
  lambda: f64;
  /** f64[m, d]: where the tasks stand, before and after. */
  models: usize;
  /** f64[rounds, d]: v of each round, zeros in the entries that are not held. */
  shared: usize;
  /** u32[rounds, m], 1 for the tasks that take part; 0 for all in all rounds. */
  marks: usize;
  /** f64[m], the eta_i. */
  etas: usize;
  rounds: i32;
  /** Leading entries that lambda pulls on. */
  held: i32;
  /** Steps a round. */
  steps: i32;
  /** 1 where every round's steps start from v, in the entries that are held. */
  fromShared: i32;
  data: TaskData;
  /** As `quadraticForms` writes them, without intercepts; read with `operators` only. */
  forms: usize;
  /** As `stepOperators` writes them; 0 to step by the rows. */
  operators: usize;
  /** f64[2 d]. */
  work: usize;
}

/** g += lambda (w - v) in the entries that are held. */
export function pull(job: LocalRounds, w: usize, v: usize, g: usize): void {
  if (!(job.lambda > 0.0)) return;
  addScaled(job.lambda, w, g, job.held);
  addScaled(-job.lambda, v, g, job.held);
}
