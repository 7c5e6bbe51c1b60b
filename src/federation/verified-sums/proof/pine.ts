/**
 * PINE, a verifiable distributed aggregation function (VDAF) for two aggregators: its settings, the random
 * values that follow from seeds, and the lengths of its messages.
 *
 * Sharing out is in `shard.ts`, the aggregators' part in `preparation.ts`. Bytes are those of
 * draft-chen-cfrg-vdaf-pine-01 over draft-irtf-cfrg-vdaf-11; its test vectors are our tests.
 * @see Rothblum, Omri, Chen, Talwar (2023), arXiv 2311.10237.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { integer } from "../../../core/checks.js";
import { encodeVector } from "../field/encoding.js";
import type { Element } from "../field/field.js";
import { proofLength, proverRandomLength, type Circuit } from "./linear-proof.js";
import { boundedNormCircuit, normEqualityCircuit } from "./norm-circuits.js";
import { normParameters, type NormOptions, type NormParameters } from "./norm-parameters.js";
import { deriveSeed, expandSeed, type ByteStream, type Xof } from "../field/xof.js";

/** Settings of an instance. */
export interface PineOptions extends NormOptions {
  readonly xof: Xof;
  /** Number of the instance in the tags of all streams. */
  readonly id: number;
  /** Proofs of the squared norm, 1 to 255. */
  readonly equalityProofs: number;
  /** Proofs of all else, 1 to 255. */
  readonly proofs: number;
  /** Squares in one call of the gadget. */
  readonly equalityChunk: number;
  /** Products in one call of the gadget. */
  readonly chunk: number;
}

/** Which aggregator. */
export type Aggregator = 0 | 1;
export const LEADER: Aggregator = 0;
export const HELPER: Aggregator = 1;
/** A proof system that is handed over. @throws TypeError for what is none. */
export function checkPine(name: string, pine: Pine): Pine {
  if (pine instanceof Pine) return pine;
  throw new TypeError(`${name}: expected a Pine, as federatedPine makes it`);
}

/** Bytes of the public random number that names a report. */
export const NONCE_BYTES = 16;

/** Draft version, first byte of every tag. */
const VERSION = 1;

/** What a stream is for. */
const USAGES = {
  measurement: 1,
  proof: 2,
  joint: 3,
  prover: 4,
  query: 5,
  jointSeed: 6,
  jointPart: 7,
  products: 8,
  productSeed: 9,
  productPart: 10,
} as const;
type Usage = keyof typeof USAGES;

/** The two kinds of randomness that come from both aggregators' shares, so from no one's choice. */
export type JointKind = "product" | "joint";

/** One circuit with its number of proofs; order is that of the proofs in all messages. */
export interface Proved {
  readonly circuit: Circuit;
  readonly times: number;
}

/** An instance of PINE. */
export class Pine {
  /** The numbers of the norm check. */
  readonly parameters: NormParameters;
  /** The circuits, in the order of their proofs in all messages. */
  readonly proved: readonly Proved[];
  /** What stretches seeds to streams. */
  readonly xof: Xof;
  readonly #options: PineOptions;

  /** @throws OptionError if the field is too small for the parameters. */
  constructor(options: PineOptions) {
    integer("proofs", options.proofs, 1, 255);
    integer("equalityProofs", options.equalityProofs, 1, 255);
    this.#options = options;
    this.xof = options.xof;
    this.parameters = normParameters(options);
    this.proved = [
      {
        circuit: normEqualityCircuit(this.parameters, options.equalityChunk),
        times: options.equalityProofs,
      },
      { circuit: boundedNormCircuit(this.parameters, options.chunk), times: options.proofs },
    ];
  }

  /** Bytes of randomness that sharing out takes: seven seeds. */
  get randomBytes(): number {
    return 7 * this.xof.seedBytes;
  }

  /** Elements of all proofs. */
  get proofsLength(): number {
    return this.#total(proofLength);
  }

  /** Bytes of an input share. */
  inputShareBytes(aggregator: Aggregator): number {
    if (aggregator === HELPER) return 4 * this.xof.seedBytes;
    const elements = this.parameters.length + this.proofsLength;
    return elements * this.parameters.field.bytes + 2 * this.xof.seedBytes;
  }

  /** Bytes of a public share. */
  get publicShareBytes(): number {
    return 4 * this.xof.seedBytes;
  }

  /** The helper's share of a measurement. */
  helperMeasurement(seed: Uint8Array): Element[] {
    const { length } = this.parameters;
    return this.#expand("measurement", seed, Uint8Array.of(HELPER), length);
  }

  /** The helper's share of all proofs. */
  helperProofs(seed: Uint8Array): Element[] {
    const binder = concatBytes(this.#proofCounts(), Uint8Array.of(HELPER));
    return this.#expand("proof", seed, binder, this.proofsLength);
  }

  /** What makes proofs tell nothing. */
  proverRandomness(seed: Uint8Array): Element[] {
    const n = this.#total(proverRandomLength);
    return this.#expand("prover", seed, this.#proofCounts(), n);
  }

  /** The points at which the aggregators open all polynomials of a report, one for each proof. */
  queryPoints(verifyKey: Uint8Array, nonce: Uint8Array): Element[] {
    const n = this.#total(() => 1);
    return this.#expand("query", verifyKey, concatBytes(this.#proofCounts(), nonce), n);
  }

  /** Joint randomness of all circuits, from its seed. */
  jointRandomness(seed: Uint8Array): Element[] {
    const n = this.#total(({ jointLength }) => jointLength);
    return this.#expand("joint", seed, Uint8Array.of(this.#options.proofs), n);
  }

  /** The stream of the random vectors of the wraparound checks, from its seed. */
  productStream(seed: Uint8Array): ByteStream {
    return this.xof.stream(seed, this.#tag("products"), new Uint8Array(0));
  }

  /** One aggregator's part of the joint seed: binds it to its share before randomness is known. */
  jointPart(
    kind: JointKind,
    aggregator: Aggregator,
    blind: Uint8Array,
    nonce: Uint8Array,
    share: readonly Element[],
  ): Uint8Array {
    const encoded = encodeVector(this.parameters.field, share);
    const binder = concatBytes(Uint8Array.of(aggregator), nonce, encoded);
    return deriveSeed(this.xof, blind, this.#tag(`${kind}Part`), binder);
  }

  /** The joint seed of both parts. */
  jointSeed(kind: JointKind, parts: readonly [Uint8Array, Uint8Array]): Uint8Array {
    const zeros = new Uint8Array(this.xof.seedBytes);
    return deriveSeed(this.xof, zeros, this.#tag(`${kind}Seed`), concatBytes(...parts));
  }

  #expand(usage: Usage, seed: Uint8Array, binder: Uint8Array, n: number): Element[] {
    return expandSeed(this.xof, this.parameters.field, seed, this.#tag(usage), binder, n);
  }

  #tag(usage: Usage): Uint8Array {
    const tag = new Uint8Array(7);
    const view = new DataView(tag.buffer);
    view.setUint8(0, VERSION);
    view.setUint32(1, this.#options.id);
    view.setUint16(5, USAGES[usage]);
    return tag;
  }

  #proofCounts(): Uint8Array {
    return Uint8Array.of(this.#options.equalityProofs, this.#options.proofs);
  }

  #total(of: (circuit: Circuit) => number): number {
    return this.proved.reduce((sum, { circuit, times }) => sum + times * of(circuit), 0);
  }
}
