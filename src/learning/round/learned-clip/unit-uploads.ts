/**
 * Uploads in units of a bound that was learned, after the releases that it was learned from.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { LearnedClip } from "./learned-clip.js";
import type { Participants } from "../participants.js";

/** Tasks whose vectors are divided by K on their way out; each of norm at most 1, whatever K is. */
export class UnitUploads implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly #core: Core;
  readonly #inner: Participants;
  readonly #clip: LearnedClip;
  readonly #before: number;
  readonly #uploads: Pointer;

  /** @param before releases before the first of these: to the tasks theirs is round 1. */
  constructor(core: Core, inner: Participants, clip: LearnedClip, before: number) {
    this.m = inner.m;
    this.uploadLength = inner.uploadLength;
    this.#core = core;
    this.#inner = inner;
    this.#clip = clip;
    this.#before = before;
    this.#uploads = core.arena.f64(this.m * this.uploadLength, "the uploads");
  }

  upload(round: number, marks?: Uint8Array): Pointer {
    const { arena, kernels } = this.#core;
    const { m, uploadLength: d } = this;
    const { value } = this.#clip;
    const given = this.#inner.upload(round - this.#before, marks);
    const uploads = arena.view(this.#uploads, m * d);
    uploads.set(arena.view(given, m * d));
    for (let k = 0; k < uploads.length; k++) uploads[k]! /= value;
    kernels.clipRows(this.#uploads, this.#uploads, m, d, 1);
    return this.#uploads;
  }

  receive(broadcast: Pointer, round: number, last: boolean): void {
    this.#inner.receive(broadcast, round - this.#before, last);
  }
}
