/**
 * What a release is, as plain data: mechanism, parameters, sensitivity, adjacency, sampling.
 * What it costs is an accountant's business. Events survive JSON; see `parseEvent` for the way back.
 * @module
 */
import type { Repetitions } from "./repetitions.js";

/**
 * `rounds` releases of a sum with normal noise of standard deviation `sigma` each, all of them: every task takes part in
 * `picks`, every choice as likely, drawn by itself and seen by nobody.
 */
export interface RandomAllocationEvent {
  readonly kind: "random-allocation";
  readonly sigma: number;
  readonly sensitivity: number;
  readonly adjacency: "zero-out";
  readonly rounds: number;
  readonly picks: number;
}

/** `count` releases of one event. */
export interface EventRun {
  readonly event: PrivacyEvent;
  readonly count: number;
}

/**
 * The best of K runs. One run first draws one of the `plans` (which one does not depend on the data),
 * then makes all releases of that plan, its private score among them.
 */
export interface SelectionEvent {
  readonly kind: "selection";
  readonly repetitions: Repetitions;
  readonly plans: readonly (readonly EventRun[])[];
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
  readonly sigma: number;
  readonly sensitivity: number;
  readonly adjacency: Adjacency;
}

/** A Gaussian release in which each task takes part independently with probability `rate`. */
export interface SubsampledGaussianEvent {
  readonly kind: "subsampled-gaussian";
  readonly sigma: number;
  readonly sensitivity: number;
  readonly adjacency: "zero-out";
  readonly sampling: { readonly kind: "poisson"; readonly rate: number };
}

/**
 * Discrete Gaussian noise of parameter `sigma`, in units of the released values, on values rounded
 * to multiples of `grid`; `sensitivity` is the l2 sensitivity before rounding, `entries` the
 * number of rounded values that one task can change.
 *
 * With `shares` the noise is the sum of that many independent discrete Gaussians of parameter
 * sigma / sqrt(shares), and the values were multiples of `grid` from the start: `sensitivity` is
 * theirs, and nothing is added for rounding.
 */
export interface DiscreteGaussianEvent {
  readonly kind: "discrete-gaussian";
  readonly sigma: number;
  readonly grid: number;
  readonly entries: number;
  readonly shares?: number;
  readonly sensitivity: number;
  readonly adjacency: Adjacency;
}

/** `W_d(d+1, v I) - W_d(d+1, v I)` on a release of nuclear-norm sensitivity; `scale` is v. */
export interface TwoSidedWishartEvent {
  readonly kind: "two-sided-wishart";
  readonly scale: number;
  readonly sensitivity: number;
  readonly adjacency: Adjacency;
}

/** `W_d(nu, v I)` on `W W^T` with columns of norm at most `clip`; `scale` is v. */
export interface WishartEvent {
  readonly kind: "wishart";
  readonly dimension: number;
  readonly degreesOfFreedom: number;
  readonly scale: number;
  readonly clip: number;
  /** eps that a text claims for it, where that is not K^2 / (2 v). No accountant reads it. */
  readonly nominal?: number;
  readonly adjacency: Adjacency;
}

/** Laplace noise of `scale` on every entry of a release of l1 sensitivity. */
export interface LaplaceEvent {
  readonly kind: "laplace";
  readonly scale: number;
  readonly sensitivity: number;
  readonly adjacency: Adjacency;
}

/** Density proportional to exp(-||b||_2 / scale), on a vector of l2 sensitivity. */
export interface SphericalLaplaceEvent {
  readonly kind: "spherical-laplace";
  readonly scale: number;
  readonly sensitivity: number;
  readonly adjacency: Adjacency;
}

/** Any mechanism of which only eps-DP is known. */
export interface PureEvent {
  readonly kind: "pure";
  readonly epsilon: number;
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
