/**
 * What a noisy sum of votes says: where the tasks' figures lie, and how far apart they are.
 *
 * Tables have columns whose sizes are alike in all tasks and columns where few tasks have values ten times those of most. What
 * a sum would look like is known for both but for its height: the sum is held against each such shape.
 * @module
 */
import { norm } from "../../linalg/norm.js";
import { exp, log } from "../../core/elementary.js";
import { vote, type Apart, type VoteBins } from "./size-votes.js";

/** How far tasks are apart, where a scale does not say. */
const APART: readonly Apart[] = [
  { width: 0, prior: 0.4 },
  { width: 0.5, prior: 0.3 },
  { width: 1, prior: 0.2 },
  { width: 1.5, prior: 0.08 },
  { width: 2.5, prior: 0.02 },
];

/** Means of seven equally likely parts of a standard normal. */
const NORMALS = [-1.57, -0.79, -0.366, 0, 0.366, 0.79, 1.57] as const;

/** Positions between two bins that are tried. */
const FINE = 8;

/** Bins within which shapes are averaged. */
const NEAR = 2.5;

/** Bins beyond which another position was taken than the tasks': of sizes a factor of 16. */
const FAR = 2;

/** Where the tasks of a sum of votes stand. */
interface Standing {
  readonly position: number;
  /** Standard deviation of their positions, in bins. */
  readonly apart: number;
}

/** A noisy sum of votes on one column. */
export interface NoisyVotes {
  readonly counts: Float64Array;
  /** Standard deviation of the noise on each count of votes. */
  readonly deviation: number;
}

/** What a sum of votes says. */
export interface Elected extends Standing {
  /** Height of the shape that fits best: about how many votes it has. */
  readonly height: number;
  /** How far off the position may be: its standard deviation over all shapes, in bins. */
  readonly doubt: number;
  /** Probability that the tasks stand more than two bins away; 0 of votes without noise, which leave nothing open. */
  readonly far: number;
}

/** What a sum of votes may look like, of norm 1. */
export interface Shape extends Standing {
  readonly prior: number;
  readonly bins: Float64Array;
}

/** Those of scales that were asked for: public, and the same in every fit. */
const kept = new WeakMap<VoteBins, readonly Shape[]>();

/** What tasks vote on average whose positions are normal around one, so many bins apart. */
export function meanVote(
  voteAt: (position: number) => Float64Array,
  position: number,
  apart: number,
): Float64Array {
  const votes = NORMALS.map((normal) => voteAt(position + apart * normal));
  return votes[0]!.map((_, b) => votes.reduce((sum, own) => sum + own[b]!, 0) / votes.length);
}

/** The shapes that votes on this scale may have. */
export function shapesOf(scale: VoteBins): readonly Shape[] {
  const known = kept.get(scale);
  if (known) return known;
  const made = makeShapes(scale);
  kept.set(scale, made);
  return made;
}

function makeShapes(scale: VoteBins): Shape[] {
  const positions = Array.from({ length: FINE * (scale.bins - 1) + 1 }, (_, step) => step / FINE);
  const widths = scale.apart ?? APART;
  // One after the other, as they are gone through.
  const all = new Float64Array(positions.length * widths.length * scale.bins);
  return positions.flatMap((position, step) =>
    widths.map(({ width, prior }, k) => {
      const mean = meanVote((at) => vote(scale, at), position, width);
      const length = norm(mean);
      const from = (step * widths.length + k) * scale.bins;
      const bins = all.subarray(from, from + scale.bins);
      for (let b = 0; b < bins.length; b++) bins[b] = mean[b]! / length;
      return { position, apart: width, prior: log(prior), bins };
    }),
  );
}

/**
 * The mean of the shapes that a sum of votes speaks for, weighed by their largest likelihood over the height times the prior:
 * of those near the most likely one, since a mean of two that are far apart would be neither. In plain loops: there are hundreds of
 * shapes, for every column.
 * @param shapes at least one.
 * @param belief log of the prior of a position, up to a constant.
 */
export function elected(
  shapes: readonly Shape[],
  { counts, deviation }: NoisyVotes,
  belief: (position: number) => number,
): Elected {
  const noise = 2 * Math.max(deviation * deviation, Number.EPSILON);
  const heights = new Float64Array(shapes.length);
  const weights = new Float64Array(shapes.length);
  let [most, last, believed] = [0, NaN, 0];
  for (let k = 0; k < shapes.length; k++) {
    const { prior, position: place, bins } = shapes[k]!;
    let height = 0;
    for (let b = 0; b < bins.length; b++) height += bins[b]! * counts[b]!;
    // Shapes at one position follow each other.
    if (place !== last) {
      last = place;
      believed = belief(place);
    }
    heights[k] = height;
    // A height below 0 speaks against.
    weights[k] = (height * Math.abs(height)) / noise + prior + believed;
    if (weights[k]! > weights[most]!) most = k;
  }
  const best = shapes[most]!;
  const evidence = weights[most]!;
  let [whole, position, apart, all] = [0, 0, 0, 0];
  for (let k = 0; k < shapes.length; k++) {
    const shape = shapes[k]!;
    const weight = exp(weights[k]! - evidence);
    weights[k] = weight;
    all += weight;
    if (Math.abs(shape.position - best.position) > NEAR) continue;
    whole += weight;
    position += weight * shape.position;
    apart += weight * shape.apart;
  }
  const at = position / whole;
  let [square, far] = [0, 0];
  for (let k = 0; k < shapes.length; k++) {
    const off = shapes[k]!.position - at;
    square += weights[k]! * off ** 2;
    if (Math.abs(off) > FAR) far += weights[k]!;
  }
  return {
    position: at,
    apart: apart / whole,
    height: heights[most]!,
    doubt: Math.sqrt(square / all),
    far: deviation > 0 ? far / all : 0,
  };
}
