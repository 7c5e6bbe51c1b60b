/**
 * The curator's half of Algorithm 1: sees shared vectors, never data; releases a noisy statistic.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { RoundFigures, SharingRule, PreparedRule } from "./sharing-rule.js";
import { statistic, type Statistic } from "./statistic.js";

/** Makes a statistic private in place; absent in the non-private methods. */
export interface RoundPrivacy {
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
  /** Float64s each task shares. */
  readonly d: number;
  readonly rule: SharingRule;
  readonly privacy?: RoundPrivacy | undefined;
  /** Sees the statistic before and after the noise: for experiments, never for a real release. */
  readonly observe?:
    ((stage: "exact" | "released", at: Pointer, round: number) => void) | undefined;
}

/** Steps 2 to 4 of a round: statistic, noise, message. */
export class Curator {
  readonly #options: CuratorOptions;
  readonly #statistic: Statistic;
  readonly #rule: PreparedRule;
  readonly #at: Pointer;
  readonly #work: Pointer;
  readonly messageLength: number;
  readonly message: Pointer;

  constructor(options: CuratorOptions) {
    const { core, m, d, rule } = options;
    this.#options = options;
    this.#statistic = statistic(rule.statistic);
    this.#at = core.arena.f64(this.#statistic.length(m, d));
    this.#work = core.arena.bytes(this.#statistic.workspace(core, m, d));
    this.messageLength = rule.messageLength(m, d);
    this.message = core.arena.f64(this.messageLength);
    this.#rule = rule.prepare({ core, m, d });
  }

  /**
   * One round, from the shared vectors V[m,d] in this core's memory to the message, valid until
   * the next round.
   */
  round(shared: Pointer, round: number): RoundFigures {
    const { core, m, d, privacy, observe } = this.#options;
    this.#statistic.compute(core, shared, this.#at, m, d, this.#work);
    if (privacy) {
      observe?.("exact", this.#at, round);
      privacy.perturb(this.#at, round);
      observe?.("released", this.#at, round);
      this.#shift(privacy.shift(round));
    }
    return this.#rule(this.#at, this.message, round);
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
