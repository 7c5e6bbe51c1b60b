/**
 * Who takes part in a round: the sample that amplification counts on.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { Sampling } from "../../privacy/index.js";
import { permutation, uniforms, type RandomStream } from "../../random/index.js";
import { AllocatedRounds } from "./allocated-rounds.js";

/**
 * What a sum over the participants is divided by: q m, the fixed size, m k / T for an allocation of k of T rounds, or m. Public.
 * @throws OptionError if a fixed size is larger than the number of tasks, or an allocation has more picks than rounds.
 */
export function expectedParticipants(sampling: Sampling, m: number, rounds: number): number {
  switch (sampling.kind) {
    case "all":
      return m;
    case "poisson":
      return sampling.rate * m;
    case "fixed-size":
      if (sampling.size <= m) return sampling.size;
      throw new OptionError(
        `sampling.size: expected at most the number of tasks, ${m}, got ${sampling.size}`,
      );
    case "allocation":
      if (sampling.picks <= rounds) return (m * sampling.picks) / rounds;
      throw new OptionError(
        `sampling.picks: expected at most the number of rounds, ${rounds}, got ${sampling.picks}`,
      );
  }
}

/**
 * Draws the participants of each round of a stage, in order. The sample is the curator's and each task's own secret: a published
 * sample amplifies nothing.
 */
export class Participation {
  readonly #stream: RandomStream;
  readonly #sampling: Sampling;
  readonly #marks: Uint8Array;
  readonly #allocation: AllocatedRounds | undefined;

  /**
   * @param stream of samples, secure where the noise is: one for all stages, since no two rounds may have the same draw.
   * @param rounds of the stage.
   */
  constructor(stream: RandomStream, sampling: Sampling, m: number, rounds: number) {
    this.#stream = stream;
    this.#sampling = sampling;
    this.#marks = new Uint8Array(m);
    if (sampling.kind === "allocation") {
      this.#allocation = new AllocatedRounds(m, rounds, sampling.picks);
    }
  }

  /**
   * 1 for every task that takes part in the next round, [m]; overwritten by the next call.
   * @param kept who took part, where this round was drawn by an earlier process: it stands.
   */
  next(kept?: Uint8Array): Uint8Array {
    const marks = this.#marks;
    this.#draw(marks);
    if (kept) marks.set(kept);
    this.#allocation?.count(marks);
    return marks;
  }

  #draw(marks: Uint8Array): void {
    const sampling = this.#sampling;
    switch (sampling.kind) {
      case "all":
        marks.fill(1);
        return;
      case "poisson": {
        const { rate } = sampling;
        uniforms(this.#stream, marks.length).forEach((u, i) => (marks[i] = u < rate ? 1 : 0));
        return;
      }
      case "fixed-size": {
        marks.fill(0);
        const chosen = permutation(this.#stream, marks.length).subarray(0, sampling.size);
        for (const i of chosen) marks[i] = 1;
        return;
      }
      case "allocation":
        this.#allocation!.draw(uniforms(this.#stream, marks.length), marks);
        return;
    }
  }
}
