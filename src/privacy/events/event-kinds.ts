/**
 * What a release is, as plain data: mechanism, parameters, sensitivity, adjacency, sampling.
 * What it costs is an accountant's business. Events survive JSON; see `parseEvent` for the way back.
 * @module
 */
import type { Repetitions } from "../selection/repetitions.js";

/**
 * `rounds` releases of a sum with normal noise of standard deviation `sigma` each, all of them: every task takes part in
 * `picks`, one of each of so many blocks of them, every choice as likely, drawn by itself and seen by nobody.
 */
export interface RandomAllocationEvent {
  readonly kind: "random-allocation";
  /** Standard deviation of the noise of every round, > 0, in the units of the released values. */
  readonly sigma: number;
  /** l2 norm by which one unit can move the sum of one round, >= 0. */
  readonly sensitivity: number;
  /** No theorem covers replace with a known number of tasks. */
  readonly adjacency: "zero-out";
  /** Rounds of the whole release, from 1 to 100,000. */
  readonly rounds: number;
  /** Rounds in which each task takes part, fewer than `rounds`. */
  readonly picks: number;
}

/** `count` releases of one event. */
export interface EventRun {
  /** What is released each time. */
  readonly event: PrivacyEvent;
  /** How often, an integer >= 1. */
  readonly count: number;
}

/**
 * The best of K runs. One run first draws one of the `plans` (which one does not depend on the data),
 * then makes all releases of that plan, its private score among them.
 */
export interface SelectionEvent {
  readonly kind: "selection";
  /** The law of K, the number of runs. */
  readonly repetitions: Repetitions;
  /** At least one; each is all the releases of one run, in runs of equal events. */
  readonly plans: readonly (readonly EventRun[])[];
  /** That of every event of the plans. */
  readonly adjacency: Adjacency;
}

/**
 * Which two worlds must look alike. `"replace"`: one task's data and models change arbitrarily
 * (the papers' definition). `"zero-out"`: one task's clipped models become zero, the number of
 * tasks being public.
 */
export type Adjacency = "replace" | "zero-out";

/** Normal noise of standard deviation `sigma` on a release of l2 (Frobenius) sensitivity. */
export interface GaussianEvent {
  readonly kind: "gaussian";
  /** Standard deviation of the noise on every entry, > 0, in the units of the release. */
  readonly sigma: number;
  /** l2 (Frobenius) norm by which one unit can move the release, >= 0; the release is (sensitivity / sigma)-GDP. */
  readonly sensitivity: number;
  /** Which two worlds the sensitivity is about. */
  readonly adjacency: Adjacency;
}

/** A Gaussian release in which each task takes part independently with probability `rate`. */
export interface SubsampledGaussianEvent {
  readonly kind: "subsampled-gaussian";
  /** Standard deviation of the noise on every entry, > 0, in the units of the release. */
  readonly sigma: number;
  /** l2 norm by which a task that takes part can move the release, >= 0. */
  readonly sensitivity: number;
  /** Amplification by a secret sample is accounted under zero-out only. */
  readonly adjacency: "zero-out";
  /** The law of the sample, which stays secret. */
  readonly sampling: {
    readonly kind: "poisson";
    /** Probability of each task to take part, in (0, 1). */
    readonly rate: number;
  };
}

/** Discrete Gaussian noise on values that are multiples of `grid`. */
export interface DiscreteGaussianEvent {
  readonly kind: "discrete-gaussian";
  /** Parameter of the noise, > 0, in the units of the released values; with `shares` that of their sum. */
  readonly sigma: number;
  /** Spacing of the values' grid, > 0, in their units. */
  readonly grid: number;
  /** How many of the rounded values one task can change, >= 1. */
  readonly entries: number;
  /**
   * The noise is the sum of that many independent discrete Gaussians of parameter sigma / sqrt(shares), and the values were
   * multiples of `grid` from the start: nothing is added for rounding. Absent: it is drawn at once, and the values are rounded
   * first.
   */
  readonly shares?: number;
  /** l2 sensitivity, >= 0, before rounding; with `shares` that of the values on the grid. */
  readonly sensitivity: number;
  /** Which two worlds the sensitivity is about. */
  readonly adjacency: Adjacency;
}

/** `W_d(d+1, v I) - W_d(d+1, v I)` on a release of nuclear-norm sensitivity. */
export interface TwoSidedWishartEvent {
  readonly kind: "two-sided-wishart";
  /** v > 0, in the units of the release. */
  readonly scale: number;
  /** Nuclear norm by which one unit can move the release, >= 0; the release is (sensitivity / (2 v))-DP. */
  readonly sensitivity: number;
  /** Which two worlds the sensitivity is about. */
  readonly adjacency: Adjacency;
}

/** `W_d(nu, v I)` on `W W^T` with columns of bounded norm. */
export interface WishartEvent {
  readonly kind: "wishart";
  /** d, the side of the matrix. */
  readonly dimension: number;
  /** nu of the law, a real number from d + 1, as in the papers, to 1e8; with more it is a sound (eps, delta) mechanism. */
  readonly degreesOfFreedom: number;
  /** v > 0, in the units of the release. */
  readonly scale: number;
  /** K > 0, bound on the l2 norm of every column of W. */
  readonly clip: number;
  /** eps that a text claims for it, where that is not K^2 / (2 v). No accountant reads it. */
  readonly nominal?: number;
  /** How one column of W differs between the two worlds: another one of that bound stands in its place, or zero. */
  readonly adjacency: Adjacency;
}

/** Laplace noise of `scale` on every entry of a release of l1 sensitivity. */
export interface LaplaceEvent {
  readonly kind: "laplace";
  /** Scale of the noise, > 0, in the units of the release. */
  readonly scale: number;
  /** l1 norm by which one unit can move the release, >= 0; the release is (sensitivity / scale)-DP. */
  readonly sensitivity: number;
  /** Which two worlds the sensitivity is about. */
  readonly adjacency: Adjacency;
}

/** Density proportional to exp(-||b||_2 / scale), on a vector of l2 sensitivity. */
export interface SphericalLaplaceEvent {
  readonly kind: "spherical-laplace";
  /** Scale of the noise, > 0, in the units of the release. */
  readonly scale: number;
  /** l2 norm by which one unit can move the vector, >= 0; the release is (sensitivity / scale)-DP. */
  readonly sensitivity: number;
  /** Which two worlds the sensitivity is about. */
  readonly adjacency: Adjacency;
}

/** Any mechanism of which only eps-DP is known. */
export interface PureEvent {
  readonly kind: "pure";
  /** Its eps, >= 0. */
  readonly epsilon: number;
  /** Which two worlds eps is about. */
  readonly adjacency: Adjacency;
}

/** One release. Unknown kinds are refused by every accountant. */
export type PrivacyEvent =
  | GaussianEvent
  | SubsampledGaussianEvent
  | DiscreteGaussianEvent
  | TwoSidedWishartEvent
  | WishartEvent
  | LaplaceEvent
  | SphericalLaplaceEvent
  | PureEvent
  | RandomAllocationEvent
  | SelectionEvent;
