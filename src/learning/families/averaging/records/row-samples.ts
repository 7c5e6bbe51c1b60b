/**
 * Which rows of a task count in a round: every one with the same chance, drawn by its owner in secret.
 *
 * The amplification that accounting counts on needs that nobody knows the draw, and that one row's is independent of all else
 * (`src/privacy/mechanisms/vector.ts`). So a round of a task has a stream of its own, secure where the noise is, and drawing
 * rows again for a round that was drawn gives other rows with secure streams, and the same ones with a seed.
 * @module
 */
import type { Core } from "../../../../core/index.js";
import {
  openStream,
  uniforms,
  type RandomOptions,
  type RandomStream,
} from "../../../../random/index.js";
import { streamNumber } from "../../../../random/stream-numbers.js";

/** Poisson samples of rows. */
export class RowSamples {
  readonly #stream: RandomStream;
  readonly #rate: number;

  /** @param rate chance of every row, in (0, 1). */
  constructor(core: Core, random: RandomOptions, rate: number) {
    this.#stream = openStream(core, random);
    this.#rate = rate;
  }

  /**
   * 1 for every row that counts, [rows].
   * @param position of the task in the run.
   */
  draw(round: number, position: number, rows: number): Uint8Array {
    this.#stream.select(streamNumber.rowSample(round, position));
    return Uint8Array.from(uniforms(this.#stream, rows), (u) => (u < this.#rate ? 1 : 0));
  }

  /** Wipes the generator's key from memory. */
  close(): void {
    this.#stream.close();
  }
}
