/**
 * One aggregator's shares of the vectors it accepted in a round, until it gives out their noisy sum, once.
 * @module
 */
import { openCore, type Core } from "../../../core/index.js";
import { DataError } from "../../../core/errors.js";
import { keyOf, streamNumber } from "../../../random/stream-numbers.js";
import { openStream, type RandomOptions } from "../../../random/index.js";
import { addNoiseShare } from "../../secure-aggregation/integers/noise.js";
import { decodeVector, encodeVector } from "../field/encoding.js";
import type { Element } from "../field/field.js";
import type { Refusal } from "../proof/preparation.js";
import type { VerifiedTerms } from "../plan/terms.js";

/** Why a participant's report is not in the sum. */
export type ReportRefusal =
  | Refusal
  /** It could not be opened: altered, or sealed for another round, participant or aggregator. */
  | "sealed"
  /** The round was closed. */
  | "late";

/** Where an aggregator's noise comes from. */
export interface NoiseSource {
  /** Default one of its own. */
  readonly core?: Core;
  /** Secure, but where a run is to be reproducible, which protects nothing. */
  readonly random: RandomOptions;
  /** 1-based. */
  readonly round: number;
  /** Which aggregator: with one seed, both draw noise of their own. */
  readonly name: "leader" | "helper";
}

/** Accepted and refused reports of one round, by participant. */
export class OutputShares {
  readonly #terms: VerifiedTerms;
  readonly #noise: NoiseSource;
  /** Encoded, since bytes can be overwritten and integers of any size cannot. */
  readonly #accepted = new Map<string, Uint8Array>();
  readonly #refused = new Map<string, ReportRefusal>();
  #given = false;

  constructor(terms: VerifiedTerms, noise: NoiseSource) {
    this.#terms = terms;
    this.#noise = noise;
  }

  /** In the order in which they were accepted. */
  get accepted(): string[] {
    return [...this.#accepted.keys()];
  }

  get refused(): ReadonlyMap<string, ReportRefusal> {
    return this.#refused;
  }

  /** Whether this participant's report has been decided on. */
  knows(participant: string): boolean {
    return this.#accepted.has(participant) || this.#refused.has(participant);
  }

  /** Whether the sum was given out, or all shares wiped. */
  get given(): boolean {
    return this.#given;
  }

  accept(participant: string, share: readonly Element[]): void {
    this.#accepted.set(participant, encodeVector(this.#terms.pine.parameters.field, share));
  }

  refuse(participant: string, why: ReportRefusal): ReportRefusal {
    this.#refused.set(participant, why);
    return why;
  }

  /**
   * The sum of these participants' shares and this aggregator's noise; all shares are overwritten.
   *
   * @param included whose reports both aggregators accepted.
   * @throws DataError if one of them was not accepted here, or a sum was given out before.
   */
  give(included: readonly string[]): Element[] {
    if (this.#given) throw new DataError("verified sum: it is given out once, and that was done");
    const absent = included.find((name) => !this.#accepted.has(name));
    if (absent !== undefined || new Set(included).size !== included.length) {
      throw new DataError(
        `verified sum: expected participants whose reports were accepted, each once` +
          (absent === undefined ? "" : `, got ${absent}`),
      );
    }
    this.#given = true;
    const { entries } = this.#terms.grid;
    const { field } = this.#terms.pine.parameters;
    const sum = this.#drawNoise();
    for (const name of included) {
      const share = decodeVector(field, this.#accepted.get(name)!, entries)!;
      share.forEach((x, i) => (sum[i] = field.add(sum[i]!, x)));
    }
    this.wipe();
    return sum;
  }

  /** Overwrites all shares; no sum is given out after that. */
  wipe(): void {
    this.#given = true;
    for (const share of this.#accepted.values()) share.fill(0);
  }

  #drawNoise(): Element[] {
    const { core = openCore(), random, round, name } = this.#noise;
    const { grid, steps, pine } = this.#terms;
    const mark = core.arena.mark();
    const stream = openStream(core, keyOf(random, ` aggregator ${name}`));
    stream.select(streamNumber.release(round));
    const noise = new Float64Array(grid.entries);
    addNoiseShare(core, stream, grid, steps, noise);
    stream.close();
    core.arena.release(mark);
    const elements = Array.from(noise, (x) => pine.parameters.field.element(BigInt(x)));
    noise.fill(0);
    return elements;
  }
}
