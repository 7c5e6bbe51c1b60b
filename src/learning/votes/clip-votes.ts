/**
 * Tasks that vote on K, each by the size of what it would upload.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { norm } from "../../linalg/norm.js";
import type { LearnedClip } from "../round/learned-clip/learned-clip.js";
import type { Participants } from "../round/participants.js";
import { CLIP_BINS } from "./clip-plan.js";
import { magnitudePosition, vote } from "./size-votes.js";

/** A batch of tasks before the first of their rounds. */
export class ClipVotes implements Participants {
  readonly m: number;
  readonly uploadLength = CLIP_BINS.bins;
  readonly #core: Core;
  readonly #clip: LearnedClip;
  readonly #sizes: () => Float64Array;
  readonly #uploads: Pointer;

  /**
   * @param clip is told what was decided.
   * @param sizes norm of what each task would upload, [m]; asked for once a vote. One of 0, or not finite, has no vote.
   */
  constructor(core: Core, m: number, clip: LearnedClip, sizes: () => Float64Array) {
    this.m = m;
    this.#core = core;
    this.#clip = clip;
    this.#sizes = sizes;
    this.#uploads = core.arena.f64(m * CLIP_BINS.bins);
  }

  upload(): Pointer {
    const { arena, kernels } = this.#core;
    const { bins } = CLIP_BINS;
    const sizes = this.#sizes();
    const votes = arena.view(this.#uploads, this.m * bins);
    votes.fill(0);
    sizes.forEach((size, i) => {
      const position = size < Infinity ? magnitudePosition(size, CLIP_BINS) : NaN;
      if (position >= 0) votes.set(vote(CLIP_BINS, position), i * bins);
    });
    // Within 1 after rounding too.
    kernels.clipRows(this.#uploads, this.#uploads, this.m, bins, 1);
    return this.#uploads;
  }

  receive(broadcast: Pointer): void {
    this.#clip.settle(this.#core.arena.view(broadcast, 1)[0]!);
  }
}

/** l2 norms of rows [m, d]. */
export function rowNorms(rows: Float64Array, m: number): Float64Array {
  const d = rows.length / m;
  return Float64Array.from({ length: m }, (_, i) => norm(rows.subarray(i * d, (i + 1) * d)));
}
