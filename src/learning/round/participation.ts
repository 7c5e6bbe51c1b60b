/**
 * Who takes part in a round: the sample that amplification counts on.
 * @module
 */
import { OptionError, type Core } from "../../core/index.js";
import type { Sampling } from "../../privacy/index.js";
import { openStream, permutation, uniforms, type RandomOptions } from "../../random/index.js";
import type { RandomStream } from "../../random/index.js";

/** Stream number of the sample: beyond those of the noise, which are the rounds'. */
const SAMPLE = 2 ** 50;

/**
 * Draws the participants of each round from a stream of its own, secure where the noise is. The
 * sample is the curator's and each task's own secret: a published sample amplifies nothing.
 */
export class Participation {
  /** What a sum over the participants is divided by: q m, the fixed size, or m. Public. */
  readonly divisor: number;
  readonly #sampling: Sampling;
  readonly #stream: RandomStream;
  readonly #marks: Uint8Array;

  /** @throws OptionError if a fixed size is larger than the number of tasks. */
  constructor(core: Core, sampling: Sampling, m: number, random: RandomOptions) {
    if (sampling.kind === "fixed-size" && sampling.size > m) {
      throw new OptionError(
        `sampling.size: expected at most the number of tasks, ${m}, got ${sampling.size}`,
      );
    }
    this.#sampling = sampling;
    this.#marks = new Uint8Array(m);
    this.#stream = openStream(core, random, SAMPLE);
    this.divisor =
      sampling.kind === "poisson"
        ? sampling.rate * m
        : sampling.kind === "fixed-size"
          ? sampling.size
          : m;
  }

  /** 1 for every task that takes part in the next round, [m]; overwritten by the next call. */
  next(): Uint8Array {
    const marks = this.#marks;
    switch (this.#sampling.kind) {
      case "all":
        return marks.fill(1);
      case "poisson": {
        const { rate } = this.#sampling;
        uniforms(this.#stream, marks.length).forEach((u, i) => (marks[i] = u < rate ? 1 : 0));
        return marks;
      }
      case "fixed-size": {
        marks.fill(0);
        const chosen = permutation(this.#stream, marks.length).subarray(0, this.#sampling.size);
        for (const i of chosen) marks[i] = 1;
        return marks;
      }
    }
  }

  /** Wipes the generator's key from memory. */
  close(): void {
    this.#stream.close();
  }
}
