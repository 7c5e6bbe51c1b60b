/**
 * The rule of a method that shares nothing.
 * @module
 */
import type { SharingRule } from "../round/sharing-rule.js";

/** No statistic, no broadcast. */
export const aloneRule: SharingRule = {
  statistic: "none",
  broadcastLength: () => 0,
  prepare: () => () => ({}),
};
