/**
 * The curator's half of Algorithm 1: sees uploads, never data; releases a noisy statistic.
 * @module
 */
import { OptionError, type Core, type Pointer } from "../../core/index.js";
import { inAnyOrder } from "./statistic/any-order.js";
import { zeroNonFinite } from "./statistic/finite-uploads.js";
import type { RoundObserver, RoundStage } from "./observer.js";
import type { RoundFigures, SharingRule, PreparedRule } from "./sharing-rule.js";
import { statistic, type Statistic } from "./statistic/statistic.js";

/** Makes a statistic private in place; absent in the non-private methods. */
export interface RoundPrivacy {
  /** Whether the noise is in the statistic when it arrives: `perturb` then only charges. */
  readonly inNoiseShares?: boolean;
  /** Charges the ledger for `round`, then draws its noise and adds it at `at`. */
  perturb(at: Pointer, round: number): void;
  /** Data-independent amount added to the diagonal after the noise (post-processing). */
  shift(round: number): number;
}

/** What a curator is made of. */
export interface CuratorOptions {
  readonly core: Core;
  /** Tasks. */
  readonly m: number;
  /** Float64s each task uploads. */
  readonly d: number;
  readonly rule: SharingRule;
  readonly privacy?: RoundPrivacy | undefined;
  readonly observe?: RoundObserver | undefined;
  /** Number of its first round, default 1: a later stage of a run goes on counting. */
  readonly first?: number | undefined;
  /** Bound on the norm of every upload, where the sum is to be the same in whatever order it is added (`any-order.ts`); default: in order. */
  readonly anyOrder?: number | undefined;
}

/** Steps 2 to 4 of a round: statistic, noise, broadcast. */
export class Curator {
  readonly #options: CuratorOptions;
  readonly #statistic: Statistic;
  readonly #rule: PreparedRule;
  readonly #at: Pointer;
  readonly #work: Pointer;
  readonly broadcastLength: number;
  readonly broadcast: Pointer;

  constructor(options: CuratorOptions) {
    const { core, m, d, rule, anyOrder } = options;
    this.#options = options;
    this.#statistic =
      anyOrder === undefined ? statistic(rule.statistic) : inAnyOrder(rule.statistic, anyOrder);
    if (anyOrder !== undefined && (rule.combine || rule.ownBlocks)) {
      throw new OptionError('sums: expected "in-order" where vectors are not plainly summed');
    }
    this.#at = core.arena.f64(this.#statistic.length(m, d));
    this.#work = core.arena.bytes(this.#statistic.workspace(core, m, d));
    this.broadcastLength = rule.broadcastLength(m, d);
    this.broadcast = core.arena.f64(this.broadcastLength);
    this.#rule = rule.prepare({ core, m, d });
    if (rule.combine && rule.statistic !== "vector") {
      throw new OptionError("curator: only sums of vectors can be combined in another way");
    }
    if (rule.ownBlocks && (rule.statistic !== "vector" || rule.combine || d % m !== 0)) {
      throw new OptionError("curator: only plain sums of vectors of m equal blocks come by blocks");
    }
  }

  /**
   * One round, from the uploads V[m,d] in this core's memory, or their own blocks where the rule says so, to the
   * broadcast, valid until the next round. With noise, uploads that are not finite become 0 there.
   */
  round(uploads: Pointer, round: number): RoundFigures {
    const { core, m, d, privacy, rule } = this.#options;
    const { combine } = rule;
    if (privacy?.inNoiseShares) {
      throw new OptionError("curator: this plan's noise is added in noise shares; use `release`");
    }
    if (privacy) zeroNonFinite(core, uploads, m, rule.ownBlocks ? d / m : d);
    if (rule.ownBlocks) this.#sumOfBlocks(uploads, round);
    else {
      this.#show("uploads", round, uploads, m * d);
      if (combine) combine(core, uploads, this.#at, m, d, round);
      else this.#statistic.compute(core, uploads, this.#at, m, d, this.#work);
    }
    if (privacy) {
      this.#show("exact", round, this.#at, this.#statistic.length(m, d));
      privacy.perturb(this.#at, round);
    }
    return this.#answer(round);
  }

  /** The same from the exact statistic, where tasks on this machine have summed their own uploads to it, those that are finite. */
  roundOfSum(sum: Pointer, round: number): RoundFigures {
    const { core, m, d, privacy, rule, observe } = this.#options;
    if (privacy?.inNoiseShares || rule.combine || rule.ownBlocks || observe) {
      throw new OptionError("curator: expected uploads; they are shown, or not plainly summed");
    }
    const length = this.#statistic.length(m, d);
    core.arena.view(this.#at, length).set(core.arena.view(sum, length));
    privacy?.perturb(this.#at, round);
    return this.#answer(round);
  }

  /**
   * One round from a statistic that others have summed, with the noise in it: it is charged and
   * becomes the broadcast.
   * @param noisy as the statistic is laid out; not looked at where a journal has the release.
   */
  release(noisy: Float64Array, round: number): RoundFigures {
    const { core, m, d, privacy } = this.#options;
    if (!privacy?.inNoiseShares) {
      throw new OptionError("curator: this plan's noise is drawn here; use `round`");
    }
    core.arena.view(this.#at, this.#statistic.length(m, d)).set(noisy);
    privacy.perturb(this.#at, round);
    return this.#answer(round);
  }

  /** Float64s of the statistic. */
  get statisticLength(): number {
    const { m, d } = this.#options;
    return this.#statistic.length(m, d);
  }

  /** From what is released to the broadcast. */
  #answer(round: number): RoundFigures {
    const { m, d, privacy, first = 1 } = this.#options;
    if (privacy) {
      this.#show("released", round, this.#at, this.#statistic.length(m, d));
      this.#shift(privacy.shift(round));
    }
    const figures = this.#rule(this.#at, this.broadcast, round - first + 1);
    this.#show("broadcast", round, this.broadcast, this.broadcastLength);
    return figures;
  }

  /** Vectors that are 0 but in a block of their own: the blocks side by side are their sum. */
  #sumOfBlocks(blocks: Pointer, round: number): void {
    const { core, m, d, observe } = this.#options;
    const given = core.arena.view(blocks, d);
    if (observe) {
      const whole = new Float64Array(m * d);
      for (let i = 0, n = d / m; i < m; i++) {
        whole.set(given.subarray(i * n, (i + 1) * n), i * (d + n));
      }
      observe({ stage: "uploads", round, statistic: this.#statistic.name, m, d, values: whole });
    }
    core.arena.view(this.#at, d).set(given);
  }

  #show(stage: RoundStage, round: number, at: Pointer, length: number): void {
    const { core, m, d, observe } = this.#options;
    if (!observe) return;
    const { name } = this.#statistic;
    observe({ stage, round, statistic: name, m, d, values: core.arena.view(at, length) });
  }

  #shift(tau: number): void {
    if (tau === 0) return;
    const { core, m, d } = this.#options;
    const order = this.#statistic.order(m, d);
    const length = this.#statistic.length(m, d);
    const values = core.arena.view(this.#at, length);
    for (let i = 0; i < length; i += order + 1) values[i]! += tau;
  }
}
