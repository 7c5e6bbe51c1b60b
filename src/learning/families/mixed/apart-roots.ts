/**
 * Priors that know nothing of other tasks, weighed by evidence beside the shared one.
 * @module
 */
import { log } from "../../../core/elementary.js";
import { multiply } from "../../../linalg/small-matrices.js";
import { aloneRoots, type Root } from "./hypotheses.js";
import { ownRoots } from "./own-part.js";
import type { OwnUnits } from "./own-units.js";
import { softmax } from "./softmax.js";

/**
 * All weights of sum 1: priors in common units and, where tasks have units of their own, as likely beforehand, that of
 * `single-task` in them.
 * @param zero another model around which they may lie as well, [d].
 */
export function apartRoots(d: number, zero?: Float64Array, units?: OwnUnits): Root[] {
  const common = aloneRoots(d, zero);
  if (!units) return common;
  const own = ownRoots(d, zero).map((root): Root => ({ ...root, kind: "alone", units }));
  return [common, own].flatMap((roots) => weighing(0.5, roots));
}

/** The same with weights of that sum. */
function weighing(sum: number, roots: readonly Root[]): Root[] {
  const weights = softmax(roots.flatMap(({ hypotheses }) => hypotheses.map((h) => h.weight)));
  let at = 0;
  return roots.map((root) => ({
    ...root,
    hypotheses: root.hypotheses.map((h) => ({ ...h, weight: log(sum * weights[at++]!) })),
  }));
}

/** A root as a task has it. */
export function rootOf(root: Root, task: number): Root {
  const { units, l, center } = root;
  const d = center.length;
  return units ? { ...root, l: multiply(units(task), l, d, d, d) } : root;
}
