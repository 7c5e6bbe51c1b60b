/**
 * Options that every command has.
 * @module
 */
import type { Values } from "./command.js";
import { choice, text, yesNo } from "./values.js";

export const commonOptions = {
  json: {
    help: "Print one JSON document instead of text.",
    schema: yesNo(),
    default: false,
    group: "output",
  },
  config: {
    value: "FILE",
    help: "Read options from a JSON file; flags win over it.",
    schema: text("a file name"),
    group: "output",
  },
  progress: {
    value: "MODE",
    help: "How to show progress on standard error: auto, bar, json or none.",
    schema: choice("auto", "bar", "json", "none"),
    default: "auto",
    group: "output",
  },
  help: { help: "Show this help.", schema: yesNo(), default: false, group: "output" },
} as const;

/** Their checked values. */
export type CommonValues = Values<typeof commonOptions>;
