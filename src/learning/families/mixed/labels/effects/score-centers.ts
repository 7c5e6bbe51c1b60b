/**
 * The points from which tasks' scores of the fixed effects are clipped. Where labels are mostly of one kind scores are skewed: clipped from 0
 * their sum would not be 0 at the effects themselves, and intercepts came out 1.4 to 2 times too large. Every task works its point out by
 * its own features, from labels drawn at the effects and scales that scores are asked at; what it uploads is as long as before.
 * @module
 */
import { exp } from "../../../../../core/elementary.js";
import { diagonal } from "../../../../../linalg/small-matrices.js";
import { ClipCenter } from "../../clip-center.js";
import { placeOf, publicDraws } from "../../public-draws.js";
import { posteriorMean, type SignedRows } from "../posterior/expectation-propagation.js";
import { labelled, type SyntheticTask } from "../evidence/logistic-synthetic.js";

/** Pairs of draws of a task's labels, a model and the one on the other side, and public normals that they are made of. */
const CENTER = { pairs: 10, normals: 100_003 } as const;

/** Where scores are asked, [d] each. */
export interface Population {
  readonly effects: Float64Array;
  readonly scales: Float64Array;
}

/**
 * Points of tasks, one after the other, in units of the clip; each is overwritten by the next.
 * @param sent a score as it is uploaded but for the clip, which is to norm 1.
 */
export function scoreCenters(
  { effects, scales }: Population,
  sent: (score: Float64Array) => Float64Array,
): (task: SignedRows) => Float64Array {
  const d = effects.length;
  // Labels of one kind are as likely as of the other: what is drawn is symmetric around 0.
  if (effects.every((value) => value === 0)) return () => new Float64Array(d);
  const root = diagonal(scales);
  const prior = { mean: effects, root };
  const normals = publicDraws(CENTER.normals);
  const center = new ClipCenter(2 * CENTER.pairs, d, 1);
  return (task) => {
    // Tasks begin apart, so that they do not share the draws' error.
    let next = placeOf(task.n, [task.rows]) % normals.length;
    const normal = () => normals[next++ % normals.length]!;
    const x = unsigned(task);
    const sites = new Float64Array(2 * task.n);
    let count = 0;
    for (let pair = 0; pair < CENTER.pairs; pair++) {
      const position = Float64Array.from({ length: d }, normal);
      const uniforms = Float64Array.from({ length: task.n }, () => uniform(normal(), normal()));
      const drawn = { x, n: task.n, position, uniforms };
      for (const one of [drawn, mirrored(drawn)]) {
        const mean = posteriorMean(labelled(one, effects, root), prior, sites);
        if (mean) center.scores[count++]!.set(sent(mean));
      }
    }
    return count > 0 ? center.of(count) : new Float64Array(d);
  };
}

/** Of two independent normals: exp(-r^2 / 2) is uniform (Box and Muller 1958). */
const uniform = (a: number, b: number) => exp(-(a * a + b * b) / 2);

/** Features of a task, [n, d]: the signs of the constant are its labels. */
const unsigned = ({ rows, d }: SignedRows) =>
  rows.map((value, at) => value * rows[at - (at % d) + d - 1]!);

/** The same with its model on the other side, and the other labels likely. */
const mirrored = (task: SyntheticTask): SyntheticTask => ({
  ...task,
  uniforms: task.uniforms.map((u) => 1 - u),
  position: task.position.map((value) => -value),
});
