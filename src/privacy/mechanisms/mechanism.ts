/**
 * What every mechanism is: a noise law with a proof, the event it spends, and the draw itself.
 * @module
 */
import type { Core } from "../../core/core.js";
import type { Pointer } from "../../core/kernels/pointer.js";
import type { Statistic } from "../sensitivity.js";
import type { Adjacency, PrivacyEvent } from "../events/event-kinds.js";

/** Names of the mechanisms. */
export type MechanismName =
  | "gaussian"
  | "two-sided-wishart"
  | "wishart"
  | "wishart-older"
  | "gaussian-diagonal"
  | "laplace-diagonal"
  | "spherical-laplace"
  | "gaussian-mean";

/** Where noise comes from: a stream of the random layer, by its structure. */
export interface NoiseStream {
  /** Secure: keyed by the platform. Seeded: reproducible, so it protects nothing. */
  readonly mode: "secure" | "seeded";
  /** Address of the ChaCha20 state in the memory of the core that `perturb` is given. */
  readonly state: Pointer;
}

/** A noise law for one statistic, sizes and sensitivity fixed. */
export interface Mechanism {
  /** Its name, as `createMechanism` takes it. */
  readonly name: MechanismName;
  /** What it adds noise to. */
  readonly statistic: Statistic;
  /** Which two worlds its sensitivity is about. */
  readonly adjacency: Adjacency;
  /** Whether the event it spends states a guarantee that holds. */
  readonly sound: boolean;
  /**
   * Whether the proof covers the numbers that are really drawn: integer arithmetic, or real numbers
   * exactly rounded. Else it is for real numbers, which floating point only comes near.
   */
  readonly exact: boolean;
  /** One sentence for the guarantee: why it is sound, or what is wrong with it. */
  readonly why: string;
  /**
   * The noise comes with the statistic, added in shares by those it sums over: `perturb` adds none.
   * Absent: `perturb` draws it.
   */
  readonly inNoiseShares?: boolean;
  /** What a round's budget b measures: eps of a pure mechanism, mu of a Gaussian one. */
  readonly budgetKind: "epsilon" | "mu";
  /**
   * The event of one round at budget b > 0; its parameters are the noise's. Smaller budgets mean
   * more noise.
   */
  event(budget: number): PrivacyEvent;
  /**
   * Where rounds cannot be accounted one by one: the events of all of them at equal budgets b, in order. Absent: each costs
   * `event`.
   */
  events?(budget: number, rounds: number): readonly PrivacyEvent[];
  /** Noise scale at budget b: sigma, v or the Laplace scale. */
  noiseScale(budget: number): number;
  /**
   * Adds the noise of budget b, in place, to the statistic at `at` in the core's memory.
   *
   * @param work scratch of `workspace(core)` bytes; wiped afterwards where it held noise.
   */
  perturb(core: Core, random: NoiseStream, at: Pointer, budget: number, work: Pointer): void;
  /** Bytes of scratch that `perturb` needs. */
  workspace(core: Core): number;
  /**
   * An amount that does not depend on data, larger than minus the smallest eigenvalue (or entry) of
   * the noise except with probability at most 0.01. 0 where the noise has no negative part.
   */
  shift(budget: number): number;
}

/** Sizes and sensitivities a mechanism is built for. */
export interface MechanismOptions {
  statistic: Statistic;
  /** m, tasks. */
  tasks: number;
  /** d, features. */
  dimension: number;
  /** K, bound on every task's vector in l2. */
  clip: number;
  /** Default `"replace"`. */
  adjacency?: Adjacency;
}

/** Chance that the negative part of a noise exceeds the default shift. */
export const SHIFT_FAILURE = 0.01;

/** What is said of noise in floating point. */
export const REAL_NUMBERS_ONLY =
  "; drawn in floating point, so this is proven for real numbers only";

/** Whether a statement's noise was in floating point: `why` says it, in files of any version. */
export const isOfRealNumbersOnly = ({ why }: { readonly why: string }): boolean =>
  why.includes(REAL_NUMBERS_ONLY);

/** The same statement, which says that it is of noise in floating point. */
export const inRealNumbersOnly = <T extends { readonly why: string }>(stated: T): T =>
  isOfRealNumbersOnly(stated) ? stated : { ...stated, why: stated.why + REAL_NUMBERS_ONLY };

/** Side of the square statistic. */
export function matrixSide({ statistic, tasks, dimension }: MechanismOptions): number {
  if (statistic === "task-covariance") return tasks;
  if (statistic === "augmented-covariance") return dimension + 1;
  if (statistic === "covariance") return dimension;
  throw new RangeError(
    `statistic: expected "covariance", "augmented-covariance" or "task-covariance" for matrix ` +
      `noise, got "${statistic}"`,
  );
}
