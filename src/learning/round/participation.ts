/**
 * Who takes part in a round: the sample that amplification counts on.
 * @module
 */
import { OptionError, type Core } from "../../core/index.js";
import type { Sampling } from "../../privacy/index.js";
import { openStream, permutation, uniforms, type RandomOptions } from "../../random/index.js";
import type { RandomStream } from "../../random/index.js";
import { streamNumber } from "../../random/stream-numbers.js";

/**
 * What a sum over the participants is divided by: q m, the fixed size, or m. Public.
 * @throws OptionError if a fixed size is larger than the number of tasks.
 */
export function expectedParticipants(sampling: Sampling, m: number): number {
  if (sampling.kind === "poisson") return sampling.rate * m;
  if (sampling.kind === "all") return m;
  if (sampling.size <= m) return sampling.size;
  throw new OptionError(
    `sampling.size: expected at most the number of tasks, ${m}, got ${sampling.size}`,
  );
}

/**
 * Draws the participants of each round from a stream of its own, secure where the noise is. The
 * sample is the curator's and each task's own secret: a published sample amplifies nothing.
 */
export class Participation {
  readonly #stream: RandomStream;
  readonly #marks: Uint8Array;

  constructor(core: Core, m: number, random: RandomOptions) {
    this.#marks = new Uint8Array(m);
    this.#stream = openStream(core, random, streamNumber.samples);
  }

  /** 1 for every task that takes part in the next round, [m]; overwritten by the next call. */
  next(sampling: Sampling): Uint8Array {
    const marks = this.#marks;
    switch (sampling.kind) {
      case "all":
        return marks.fill(1);
      case "poisson": {
        const { rate } = sampling;
        uniforms(this.#stream, marks.length).forEach((u, i) => (marks[i] = u < rate ? 1 : 0));
        return marks;
      }
      case "fixed-size": {
        marks.fill(0);
        const chosen = permutation(this.#stream, marks.length).subarray(0, sampling.size);
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
