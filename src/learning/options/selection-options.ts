/**
 * Options of choosing a model after the rounds that several families share.
 * @module
 */
import { aShare } from "./kinds.js";
import { option } from "./option.js";

/** `choiceShare`: part of the budget. */
export const choiceShare = option(aShare, {
  group: "privacy",
  help: "Share of the budget that a pooled choice takes.",
  default: 0.1,
});
