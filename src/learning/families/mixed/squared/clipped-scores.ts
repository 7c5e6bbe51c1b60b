/**
 * Skewed scores of all tasks of a batch, each clipped around its own point.
 * @module
 */
import { allFinite } from "../../../../core/all-finite.js";
import { norm } from "../../../../linalg/norm.js";
import type { TaskSpectra } from "../spectra/task-spectra.js";
import type { TaskSpectrum } from "../spectra/task-spectrum.js";
import { scoreCenters } from "./score-center.js";
import type { SquaredState } from "./squared-state.js";

/** Scores of one task after the other. */
export interface OwnScores {
  /** L, under which the tasks' spectra are. */
  readonly l: Float64Array;
  /** Takes a task's directions. */
  open(task: TaskSpectrum): void;
  /** Of what the opened task observes, scaled: a new array. */
  of(task: TaskSpectrum): Float64Array;
}

/** Held to norm 1, of `clip`, [batch, length]; 0 of a task whose score is no number. */
export function clippedScores(
  state: SquaredState,
  tasks: TaskSpectra,
  scores: OwnScores,
  { clip, length }: { readonly clip: number; readonly length: number },
): Float64Array {
  const centerOf = scoreCenters(state.noise, (task) => scores.of(task), clip);
  const out = new Float64Array(tasks.m * length);
  tasks.forEach(state.effects, scores.l, (task, i) => {
    scores.open(task);
    const center = centerOf(task);
    const own = scores.of(task);
    for (let k = 0; k < length; k++) own[k]! -= center[k]!;
    const held = Math.max(norm(own), clip);
    if (!allFinite(own) || !(held < Infinity)) return;
    for (let k = 0; k < length; k++) out[i * length + k] = own[k]! / held;
  });
  return out;
}
