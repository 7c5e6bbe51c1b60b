/**
 * Which vectors are called clipped. The kernel that clips also cuts by a rounding what has norm K: how many such vectors there are depends on
 * the owners' data, and operators are told how many were clipped.
 * @module
 */
import { norm } from "../../linalg/norm.js";

/** Of K, above what owners' rounding comes to. */
const LONGER = 1 + 2 ** -30;

/** Whether a vector is longer than its bound, as none is that an owner clipped. @param clip K. */
export const isLonger = (vector: Float64Array, clip: number) => norm(vector) > clip * LONGER;
