/**
 * The integers that a secure sum is made of.
 * @module
 */
import type { Adjacency } from "../../../privacy/index.js";
import type { Lattice, SummedStatistic } from "./fixed-point.js";

/** Integers instead of a statistic: everything but the noise. */
export interface AggregationGrid {
  readonly statistic: SummedStatistic;
  readonly tasks: number;
  readonly dimension: number;
  readonly adjacency: Adjacency;
  readonly precision: number;
  readonly lattice: Lattice;
  /** Integers per participant and round. */
  readonly entries: number;
  /** Side of a matrix statistic, 0 of a vector. */
  readonly side: number;
  /** Value of one integer step of the statistic. */
  readonly step: number;
  /** D^2 of the integers. */
  readonly squaredSensitivity: bigint;
  /** Whether vectors are rounded as they are, and not held to an integer norm. */
  readonly rounded: boolean;
}
