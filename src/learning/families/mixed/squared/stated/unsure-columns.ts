/**
 * Scores of the fixed effects of a fit as they were released, kept for what is stated of these.
 * @module
 */
import type { MixedSizes } from "../../exchange.js";
import { clipWeight } from "../clip-weight.js";
import { keptScore, type KeptScore, type LocationReleases } from "../kept-score.js";
import { Statement, type FoundInTheEnd, type StatementSizes } from "./statement.js";

/** Scores, one after the other. */
export class UnsureColumns {
  readonly #sizes: StatementSizes;
  readonly #kept: KeptScore[] = [];

  constructor({ m, d, meanRows, perTask = [] }: MixedSizes) {
    const directions = Math.min(d, Math.max(meanRows, 1));
    this.#sizes = { m, d, directions, known: perTask };
  }

  /** @param noise variance of each entry of the score, as it was taken. */
  add(releases: LocationReleases, noise: number): void {
    this.#kept.push(keptScore(releases, noise, this.#sizes.m));
  }

  /** Undefined before the first score. */
  statement(found: FoundInTheEnd): Statement | undefined {
    if (this.#kept.length === 0) return undefined;
    const rounds = this.#kept.map((kept) => {
      return { ...kept, ...clipWeight(kept, found, this.#sizes.directions) };
    });
    return new Statement(rounds, found, this.#sizes);
  }
}
