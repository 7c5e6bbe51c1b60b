/**
 * Algorithm 5: tasks that do not trust the curator perturb what they upload.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import {
  attackerGain,
  createMechanism,
  Ledger,
  preferExact,
  type Guarantee,
  type Mechanism,
  type RecordGuarantee,
} from "../../privacy/index.js";
import { recordWords } from "../../privacy/guarantee/guarantee-words.js";
import { openStream, type RandomOptions, type RandomStream } from "../../random/index.js";
import { streamNumber } from "../../random/stream-numbers.js";
import type { Participants } from "./participants.js";

/** What the tasks protect against the curator, and how. */
export interface RecordNoiseOptions {
  readonly core: Core;
  /** eps over all rounds, for one record of one task. */
  readonly epsilon: number;
  /** K, bound on what is uploaded. */
  readonly clip: number;
  readonly rounds: number;
  readonly random: RandomOptions;
  /** Position of every task in the whole run, [m]. */
  readonly positions: readonly number[];
}

/**
 * Participants whose uploads carry l2-Laplace noise: one record replaced moves a vector of
 * norm at most K by at most 2K, so b with density proportional to exp(-eps_t ||b|| / (2K)) makes each
 * round's vector eps_t-DP for one record. Adding b leaves the ball of radius K, so it is clipped
 * again, or the covariance's sensitivity would be lost. The task's own iterate
 * keeps its value.
 *
 * @see Liang et al., Algorithm 5, with the constant of its density put right.
 */
export class RecordNoise implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  /** One task's ledger: all tasks spend the same, each on its own records. */
  readonly ledger: Ledger;
  readonly #inner: Participants;
  readonly #options: RecordNoiseOptions;
  readonly #mechanism: Mechanism;
  readonly #stream: RandomStream;
  readonly #noisy: Pointer;
  readonly #work: Pointer;

  constructor(inner: Participants, options: RecordNoiseOptions) {
    const { core, epsilon, clip } = options;
    this.m = inner.m;
    this.uploadLength = inner.uploadLength;
    this.#inner = inner;
    this.#options = options;
    this.#mechanism = preferExact((discrete) => {
      const mechanism = createMechanism({
        name: "spherical-laplace",
        statistic: "vector",
        tasks: 1,
        dimension: inner.uploadLength,
        clip,
        adjacency: "replace",
        delta: 0,
        discrete,
      });
      mechanism.event(this.#budget()); // refused now if out of range
      return mechanism;
    });
    const noiseSource = options.random.mode;
    const budget = { epsilon, delta: 0, adjacency: "replace", noiseSource } as const;
    this.ledger = new Ledger({ ...budget, unit: "record", accountant: "kov" });
    this.#noisy = core.arena.f64(this.m * this.uploadLength);
    this.#work = core.arena.bytes(this.#mechanism.workspace(core));
    this.#stream = openStream(core, options.random);
  }

  upload(round: number, marks?: Uint8Array): Pointer {
    const { core, clip, positions } = this.#options;
    const { m, uploadLength: d } = this;
    const exact = this.#inner.upload(round, marks);
    if (marks?.every((mark) => mark === 0)) return this.#nothing();
    const budget = this.#budget();
    this.ledger.charge(this.#mechanism.event(budget), { round, label: "record" });
    core.arena.view(this.#noisy, m * d).set(core.arena.view(exact, m * d));
    for (let i = 0; i < m; i++) {
      // A stream of every task and round: noise does not depend on which others are in the batch.
      this.#stream.select(streamNumber.recordNoise(round, positions[i]!));
      this.#mechanism.perturb(core, this.#stream, this.#noisy + 8 * i * d, budget, this.#work);
    }
    core.kernels.clipRows(this.#noisy, this.#noisy, m, d, clip);
    return this.#noisy;
  }

  /** Charges a round whose noisy vector an earlier process drew and still has. */
  recall(round: number): void {
    this.ledger.charge(this.#mechanism.event(this.#budget()), { round, label: "record" });
  }

  /** Who takes no part shows nothing, draws nothing and pays nothing. */
  #nothing(): Pointer {
    this.#options.core.arena.view(this.#noisy, this.m * this.uploadLength).fill(0);
    return this.#noisy;
  }

  receive(broadcast: Pointer, round: number, last: boolean): void {
    this.#inner.receive(broadcast, round, last);
  }

  /** eps_t, lowered so that the ledger's sum of T terms, each rounded up by 2^-46, stays within eps. */
  #budget(): number {
    const { epsilon, rounds } = this.#options;
    return (epsilon / rounds) * (1 - 1e-12 - rounds * 2 ** -46);
  }

  /** What each record of a task is promised against the curator and everyone after it. */
  guarantee(joint: Guarantee): RecordGuarantee {
    const { epsilon } = this.ledger;
    const isPrivate = joint.noiseSource === "secure";
    return {
      kind: "record",
      against: "curator",
      ...recordWords(epsilon),
      ...(isPrivate ? { attacker: attackerGain({ epsilon, delta: 0 }) } : {}),
      adjacency: "replace",
      epsilon,
      delta: 0,
      accountant: this.ledger.accountant,
      mechanism: "spherical-laplace",
      sound: true,
      why: this.#mechanism.why,
      noiseSource: joint.noiseSource,
      private: isPrivate,
      spent: this.ledger.spent(),
    };
  }

  /** Wipes the generator's key from memory. */
  close(): void {
    this.#stream.close();
  }
}
