/**
 * The points from which tasks' scores of the fixed effects are clipped. Where labels are mostly of one kind scores are skewed: clipped from 0
 * their sum would not be 0 at the effects themselves, and intercepts came out twice to three times too large. Every task works its point out by
 * its own features, from labels drawn at the effects and scales that scores are asked at; what it uploads is as long as before.
 * @module
 */
import { exp, log } from "../../../../core/elementary.js";
import { diagonal } from "../../../../linalg/small-matrices.js";
import { clipCenter } from "../clip-center.js";
import { publicDraws } from "../public-draws.js";
import { infer, type SignedRows } from "./expectation-propagation.js";

/** Pairs of draws of a task's labels, a model and the one on the other side, and public normals that they are made of. */
const CENTER = { pairs: 10, normals: 100_003 } as const;
/** Steps by which a place tells sums of squares apart, of their natural logarithm: far above rounding. */
const PLACE_STEPS = 256;

/** Where scores are asked, [d] each. */
export interface Population {
  readonly effects: Float64Array;
  readonly scales: Float64Array;
}

/**
 * Points of tasks, one after the other, in units of the clip.
 * @param sent a score as it is uploaded but for the clip, which is to norm 1.
 */
export function scoreCenters(
  { effects, scales }: Population,
  sent: (score: Float64Array) => Float64Array,
): (task: SignedRows) => Float64Array {
  const d = effects.length;
  // Labels of one kind are as likely as of the other: what is drawn is symmetric around 0.
  if (effects.every((value) => value === 0)) return () => new Float64Array(d);
  const prior = { mean: effects, root: diagonal(scales) };
  const normals = publicDraws(CENTER.normals);
  return (task) => {
    // Tasks begin apart, so that they do not share the draws' error.
    let next = placeOf(task) % normals.length;
    const normal = () => normals[next++ % normals.length]!;
    const scores: Float64Array[] = [];
    for (let pair = 0; pair < CENTER.pairs; pair++) {
      const position = scales.map((scale) => scale * normal());
      const uniforms = Float64Array.from({ length: task.n }, () => uniform(normal(), normal()));
      for (const side of [1, -1]) {
        const model = effects.map((value, j) => value + side * position[j]!);
        const sided = side > 0 ? uniforms : uniforms.map((u) => 1 - u);
        const found = infer(relabelled(task, model, sided), prior);
        if (found) scores.push(sent(found.mean()));
      }
    }
    return scores.length > 0 ? clipCenter(scores, 1) : new Float64Array(d);
  };
}

/** Of two independent normals: exp(-r^2 / 2) is uniform (Box and Muller 1958). */
const uniform = (a: number, b: number) => exp(-(a * a + b * b) / 2);

/** The rows of a task with labels of a model; its own ones are the signs of the constant. */
function relabelled({ rows, n, d }: SignedRows, model: Float64Array, uniforms: Float64Array) {
  const out = rows.slice();
  for (let i = 0; i < n; i++) {
    const label = rows[i * d + d - 1]!;
    let logOdds = 0;
    for (let j = 0; j < d; j++) logOdds += label * rows[i * d + j]! * model[j]!;
    const drawn = uniforms[i]! < 1 / (1 + exp(-logOdds)) ? label : -label;
    for (let j = 0; j < d; j++) out[i * d + j]! *= drawn;
  }
  return { rows: out, n, d };
}

/** Where among the draws a task begins, by the sum of squares of its features. */
function placeOf({ rows, n }: SignedRows): number {
  const squares = rows.reduce((sum, value) => sum + value * value, 1e-300);
  const place = Math.imul(n ^ Math.round(PLACE_STEPS * log(squares)), 0x9e3779b1);
  return (place ^ (place >>> 15)) >>> 0;
}
