/**
 * The flags of `fit`: of its table, its tuning and its output; those of the method come with `--method`.
 * @module
 */
import { SELECTABLE } from "../../learning/methods.js";
import { threadsOption } from "../../learning/parallel/threads.js";
import type { Values } from "../options/command.js";
import { dataOptions, missingByUnit, personOption } from "../tables/data-options.js";
import { flagOption, methodFlags } from "../options/method-options.js";
import { normalizeOption } from "../tables/normalize.js";
import { number, text, yesNo } from "../options/values.js";
import { selectionOptions } from "./selected.js";
import { streamOption } from "./stream-data.js";

/** The flags of all methods, and which go with which. */
export const methodsFlags = methodFlags(SELECTABLE, {
  loss: "by the target: logistic of two values, softmax of several labels, else squared",
});

export const fitOptions = {
  ...dataOptions,
  missing: missingByUnit,
  stream: streamOption,
  person: personOption,
  test: {
    value: "FILE",
    help: "Test data with the same columns; its scores are printed.",
    schema: text("a file name"),
    group: "data",
  },
  testFraction: {
    value: "F",
    help:
      "Instead of --test: share of each task's rows to hold out, of which only columns, levels and labels are " +
      "looked at, and to score on.",
    schema: number({ above: 0, below: 1 }),
    group: "data",
  },
  splitSeed: {
    value: "S",
    help:
      "--test-fraction: the same seed holds out the same rows everywhere; default 0. Replicate R of an evaluation " +
      "with seed S holds out those of S/data/R.",
    schema: text("a seed"),
    group: "data",
  },
  sharedPrior: {
    value: "FILE|DIR",
    help:
      "For owners who come after a fit: what it says of tasks in general (summary --prior-out wrote it), or its model. Every " +
      "task of --data gets a model of its own from this and its rows, read as the fit's were; nothing is released or spent.",
    schema: text("a file or directory name"),
    group: "data",
  },
  method: methodsFlags.method,
  normalize: { ...normalizeOption, group: "data" },
  ...selectionOptions,
  journal: {
    value: "DIR",
    help:
      "Private methods: write every charge and release here as the rounds go; the same command " +
      "goes on where an interrupted fit stopped, and draws nothing twice. Its first record has a digest of " +
      "all data, for the curator only.",
    schema: text("a directory name"),
    group: "output",
  },
  threads: { ...flagOption(threadsOption), group: "output" },
  out: {
    value: "DIR",
    help: "Where to write the model (safetensors) and its card; it holds all tasks' models.",
    schema: text("a directory name"),
    group: "output",
  },
  verbose: {
    help: "Print all of the guarantee, as summary does, instead of the eight lines or less that a fit ends with.",
    schema: yesNo(),
    default: false,
    group: "output",
  },
} as const;

export type FitValues = Values<typeof fitOptions>;
