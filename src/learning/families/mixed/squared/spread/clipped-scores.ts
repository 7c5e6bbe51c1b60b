/**
 * Skewed scores of all tasks of a batch, each clipped around its own point.
 * @module
 */
import { allFinite } from "../../../../../core/all-finite.js";
import { norm } from "../../../../../linalg/norm.js";
import type { TaskSpectra } from "../../spectra/task-spectra.js";
import type { TaskSpectrum } from "../../spectra/task-spectrum.js";
import { ScoreCenters, type SkewedScores } from "./score-center.js";
import type { SquaredState } from "../squared-state.js";

/** Scores of one task after the other. */
export interface OwnScores extends SkewedScores {
  /** L, under which the tasks' spectra are. */
  readonly l: Float64Array;
  /** Takes a task's directions. */
  open(task: TaskSpectrum): void;
}

/** Held to norm 1, of `clip`, [batch, length]; 0 of a task whose score is no number. */
export function clippedScores(
  state: SquaredState,
  tasks: TaskSpectra,
  scores: OwnScores,
  clip: number,
): Float64Array {
  const { length, l } = scores;
  const centers = new ScoreCenters(state.noise, scores, clip);
  const out = new Float64Array(tasks.m * length);
  const own = new Float64Array(length);
  for (let i = 0; i < tasks.m; i++) {
    const task = tasks.of(i, state.effects, l);
    scores.open(task);
    const center = centers.of(task);
    scores.write(task, own);
    for (let k = 0; k < length; k++) own[k]! -= center[k]!;
    const held = Math.max(norm(own), clip);
    if (!allFinite(own) || !(held < Infinity)) continue;
    for (let k = 0; k < length; k++) out[i * length + k] = own[k]! / held;
  }
  return out;
}
