/**
 * `simulate`: the papers' synthetic data as CSV.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { OptionError } from "../../core/errors.js";
import { simulate, simulateLeakage, type TaskSet } from "../../data/index.js";
import {
  checkDirectory,
  writeDirectoryAtomically,
  writeFileAtomically,
} from "../../node/files/write-atomically.js";
import { defineCommand, type Values } from "../options/command.js";
import { csvText } from "../../data/table/csv-text.js";
import { flagName } from "../../core/messages/flag-name.js";
import { choice, integer, number, text } from "../options/values.js";

const options = {
  pattern: {
    value: "NAME",
    help:
      "low-rank: models in clusters of equal or opposite ones; group-sparse: models that use few " +
      "features; leakage: the models of the leakage example, without data.",
    schema: choice("low-rank", "group-sparse", "leakage"),
    required: true,
  },
  out: {
    value: "DIR|FILE",
    help:
      "Directory for train.csv, test.csv and weights.csv; or a file, .csv or .csv.gz, for the " +
      "training rows (the models with leakage).",
    schema: text("a directory or file name"),
    required: true,
  },
  seed: {
    value: "SEED",
    help: "The same seed gives the same data everywhere.",
    schema: text("a seed"),
    required: true,
  },
  tasks: {
    value: "M",
    help: "Number of tasks. Default 320; 10 with leakage.",
    schema: integer({ min: 1, max: 1e6 }),
  },
  features: {
    value: "D",
    help: "Number of features. Default 30; 5 with leakage.",
    schema: integer({ min: 1, max: 1e6 }),
  },
  samples: {
    value: "N",
    help: "Training rows of every task.",
    schema: integer({ min: 1 }),
    default: 30,
  },
  testFactor: {
    value: "K",
    help: "Test rows for every training row.",
    schema: integer({ min: 1 }),
    default: 9,
  },
  noise: {
    value: "SD",
    help: "Standard deviation of the noise in the target.",
    schema: number({ min: 0 }),
    default: 1,
  },
  clusters: {
    value: "C",
    help: "low-rank: number of clusters, the rank. Default 4.",
    schema: integer({ min: 1 }),
  },
  variance: {
    value: "V",
    help: "low-rank: variance of the models' entries. Default 120.",
    schema: number({ above: 0 }),
  },
  activeFeatures: {
    value: "A",
    help: "group-sparse: number of features in use. Default 4.",
    schema: integer({ min: 1 }),
  },
} as const;

type SimulateValues = Values<typeof options>;

function* rowsOf(tasks: TaskSet): Generator<(string | number)[]> {
  const { d } = tasks;
  for (const { name, x, y, n } of tasks) {
    for (let row = 0; row < n; row++) yield [name, y[row]!, ...x.subarray(row * d, (row + 1) * d)];
  }
}

function tasksCsv(tasks: TaskSet): Iterable<string> {
  return csvText(["task", tasks.targetName, ...tasks.featureNames], rowsOf(tasks));
}

function modelsCsv(names: readonly string[], weights: Float64Array): Iterable<string> {
  const d = weights.length / names.length;
  const rows = names.map((name, i) => [name, ...weights.subarray(i * d, (i + 1) * d)]);
  return csvText(["task", ...Array.from({ length: d }, (_, j) => `w${j + 1}`)], rows);
}

/** Only the options that were given, so that the library's defaults hold. */
function given(values: SimulateValues) {
  const { tasks, features, clusters, variance, activeFeatures } = values;
  return {
    ...(tasks === undefined ? {} : { tasks }),
    ...(features === undefined ? {} : { features }),
    ...(clusters === undefined ? {} : { clusters }),
    ...(variance === undefined ? {} : { variance }),
    ...(activeFeatures === undefined ? {} : { activeFeatures }),
  };
}

interface Simulated {
  tasks: number;
  features: number;
  /** File name -> content; the first is what a single output file holds. */
  files: Record<string, Iterable<string>>;
}

function draw(values: SimulateValues): Simulated {
  const { pattern, samples, testFactor, noise, seed } = values;
  if (pattern === "leakage") {
    const { names, weights } = simulateLeakage({ ...given(values), seed });
    const files = { "weights.csv": modelsCsv(names, weights) };
    return { tasks: names.length, features: weights.length / names.length, files };
  }
  const { train, test, weights } = simulate({
    pattern,
    samples,
    testFactor,
    noise,
    seed,
    ...given(values),
  });
  return {
    tasks: train.m,
    features: train.d,
    files: {
      "train.csv": tasksCsv(train),
      "test.csv": tasksCsv(test),
      "weights.csv": modelsCsv(train.names, weights),
    },
  };
}

/** Packs text as it comes, so that it never lies in memory as a whole. */
function gzip(chunks: Iterable<string>): AsyncIterable<Uint8Array> {
  return Readable.from(chunks).pipe(createGzip());
}

const FILES = ["train.csv", "test.csv", "weights.csv"];

/** Options that say nothing about the pattern are refused, not passed over. */
function checkPattern(values: SimulateValues): void {
  const { pattern } = values;
  const only: [keyof SimulateValues, string][] = [
    ["clusters", "low-rank"],
    ["variance", "low-rank"],
    ["activeFeatures", "group-sparse"],
  ];
  for (const [key, owner] of only) {
    if (values[key] !== undefined && pattern !== owner) {
      throw new OptionError(
        `--${flagName(key)} goes with --pattern ${owner}, not with ${pattern}.`,
      );
    }
  }
}

export const simulateCommand = defineCommand({
  options,
  examples: [
    "simulate --pattern low-rank --seed 1 --out data",
    "simulate --pattern group-sparse --tasks 40 --samples 20 --seed 1 --out train.csv.gz",
  ],
  run: async (values) => {
    checkPattern(values);
    const { out, pattern } = values;
    const single = /\.csv(\.gz)?$/i.test(out);
    if (!single) await checkDirectory(out, FILES);
    const { tasks, features, files } = draw(values);
    const first = Object.values(files)[0]!;
    if (!single) await writeDirectoryAtomically(out, files);
    else await writeFileAtomically(out, /\.gz$/i.test(out) ? gzip(first) : first);
    const written = single ? [out] : Object.keys(files).map((name) => join(out, name));
    return {
      document: { pattern, tasks, features, files: written },
      text: `${counted(tasks, "task")} with ${counted(features, "feature")}: ${written.join(", ")}`,
    };
  },
});
