/**
 * Who was drawn in the rounds of a sampled run: the curator's secret, of which each participant is told its part.
 * @module
 */
import type { Drawn } from "../../protocol/messages/messages.js";
import type { CuratorRecord } from "../../protocol/records.js";
import type { RandomBytes } from "../../secure-aggregation/keys/random-bytes.js";
import type { CuratorOutput } from "../events/curator-output.js";
import type { Registry } from "../members/registry.js";
import { openSample, sampleKey, sealSample } from "./sealed-sample.js";

/** The samples so far, kept sealed before anybody is called. */
export class Samples {
  /** Whether the records hold samples whose key is gone: nobody can be brought up to date any more. */
  readonly lost: boolean;
  readonly #registry: Registry;
  readonly #output: CuratorOutput;
  readonly #random: RandomBytes;
  /** Who was drawn in each round: a bit for each position. All rounds are kept, so each takes as little as it can. */
  readonly #drawn = new Map<number, Uint8Array>();
  #key: Uint8Array | undefined;

  /**
   * @param records what an earlier process kept: what was drawn stands.
   * @throws DataError if the key held beside them is another's.
   */
  constructor(
    registry: Registry,
    output: CuratorOutput,
    records: readonly CuratorRecord[],
    random: RandomBytes,
  ) {
    this.#registry = registry;
    this.#output = output;
    this.#random = random;
    this.#key = records.find((record) => record.type === "sample-key")?.bytes;
    const kept = records.filter((record) => record.type === "sample");
    this.lost = kept.length > 0 && !this.#key;
    if (!this.#key) return;
    for (const { round, bytes } of kept) {
      this.#drawn.set(round, bitsOf(openSample(this.#key, round, bytes)));
    }
  }

  /** The positions that were drawn for a round, if they were. */
  of(round: number): number[] | undefined {
    const bits = this.#drawn.get(round);
    return bits && Array.from({ length: 8 * bits.length }, (_, i) => i).filter((i) => has(bits, i));
  }

  /** Keeps what was drawn for a round. */
  keep(round: number, positions: readonly number[]): void {
    if (!this.#key) {
      this.#key = sampleKey(this.#random);
      this.#output.hold({ type: "sample-key", bytes: this.#key });
    }
    const { m } = this.#registry.sizes();
    this.#drawn.set(round, bitsOf(positions));
    const bytes = sealSample(this.#key, round, m, positions, this.#random);
    this.#output.keep({ type: "sample", round, bytes });
  }

  /** Nobody will ask any more: without its key what was kept tells nobody who was drawn. */
  wipe(): void {
    if (!this.#key) return;
    this.#output.hold(null);
    this.dispose();
  }

  /** Wipes the key from memory. */
  dispose(): void {
    this.#key?.fill(0);
    this.#key = undefined;
    this.#drawn.clear();
  }

  /** What a participant is told of a round: a mark for each of its tasks; nothing where everyone takes part. */
  toldTo(participant: string, round: number): { readonly drawn?: Drawn } {
    const drawn = this.#drawn.get(round);
    if (!drawn) return {};
    const own = [...this.#registry.positionsOf(participant)!].sort((a, b) => a - b);
    return { drawn: own.map((at) => (has(drawn, at) ? 1 : 0)) };
  }
}

const has = (bits: Uint8Array, position: number) =>
  ((bits[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;

function bitsOf(positions: readonly number[]): Uint8Array {
  const last = positions.reduce((most, position) => Math.max(most, position), -1);
  const bits = new Uint8Array((last >> 3) + 1);
  for (const position of positions) bits[position >> 3]! |= 1 << (position & 7);
  return bits;
}
