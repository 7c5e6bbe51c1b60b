/**
 * The rule of a method that shares nothing.
 * @module
 */
import type { SharingRule } from "../round/sharing-rule.js";

/** No statistic, no message. */
export const aloneRule: SharingRule = {
  statistic: "none",
  messageLength: () => 0,
  prepare: () => () => ({}),
};
