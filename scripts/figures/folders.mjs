/** The folders of src/, and of the largest of these, in the order in which they may import, as eslint.config.js has it. */
import { cliLayers, dataLayers, layers, learningLayers } from "../../eslint.config.js";
import { arrow, box, drawing, text } from "./drawing.mjs";

const CONTENTS = {
  core: "door to WebAssembly, errors, checks",
  linalg: "matrix functions",
  random: "secure and seeded streams, draws",
  privacy: "mechanisms, accountants, ledger, guarantee",
  data: "tables, schemas, task sets, splits",
  learning: "rounds, methods, fitted models",
  model: "models as files, worker pools",
  federation: "the halves on different machines",
  charts: "line charts and heat maps as SVG",
  report: "figures and HTML from results",
  cli: "the commands",
};

const LEARNING = {
  workers: "threads that hold tasks",
  bounds: "what noisy rounds reach, with proofs",
  tasks: "rows in kernel memory, losses, ridge",
  models: "networks, models of one's own",
  fitted: "fitted models, scores, intervals",
  round: "one round: participants, curator, loop",
  sharing: "sharing rules: noisy statistic to broadcast",
  steps: "local steps",
  options: "options and methods as declarations",
  parallel: "a fit's tasks spread over threads",
  release: "the release plan, charges and draws",
  votes: "sizes, and bounds, that tasks vote on",
  convex: "solvers and certificates without noise",
  "local-selection": "fallback, checkpoints, pooled votes",
  families: "parts that several methods share",
  prospects: "what a budget buys, by public facts",
  estimators: "one file for each method",
  auto: "the method that a fit takes unasked",
  tuning: "cross-validation, private selection",
  audit: "attacks on mechanisms and fits",
};

const DATA = {
  sparse: "sparse rows, sparse features",
  table: "named columns in memory, rows by task",
  read: "files of every format, and their pieces",
  columns: "kinds of columns, and their features",
  schema: "which column is what: declared or seen",
  provenance: "how tasks came about, kept with a model",
  split: "seeded shuffles, splits, folds",
  tasks: "task sets: one layout for all tasks' rows",
  checks: "what is asked of tasks before a fit",
  transform: "scaling of features, again at predict",
  datasets: "simulations, and benchmarks' own files",
  encode: "from a table, or its pieces, to tasks",
  inspect: "a look at a table, a draft of its schema",
};

const CLI = {
  terminal: "what a command sees of its process",
  words: "tables, numbers, words for people",
  options: "what a command is; flags, values, help",
  tables: "from files to tasks, and what to say of them",
  account: "what releases cost, what a budget buys",
  fitted: "models: kept, scored, told of",
  tuning: "what a search of options is given",
  evaluation: "cells, the plan of them, the findings",
  fit: "a fit, from its table to its text",
  federated: "what commands over a network share",
  participant: "what an owner who joins reads and is told",
  operator: "watching and steering runs",
  registry: "the entry of a registry of deployments",
  commands: "a file a command",
};

function stack(names, contents, where, { x, y, width, step }) {
  return names.map((name, k) => {
    const words = contents[name];
    if (words === undefined) {
      throw new Error(
        `scripts/figures/folders.mjs: expected words for ${where}${name}, found none`,
      );
    }
    const at = y + (names.length - 1 - k) * step;
    const kind = name === "learning" ? "curator" : where === "src/" ? "plain" : "participant";
    return box({ x, y: at, width, height: step - 4, kind, head: `${name}/`, words });
  });
}

const STEP = 58;
const LOWER = "A folder imports from those below it, never upward.";

/** Two stacks side by side, the left one resting on the ground and the right one as tall as the drawing. */
function stacks(name, title, [left, right], note) {
  const height = Math.max(left.names.length, right.names.length) * STEP;
  const top = ({ names }) => 44 + height - names.length * STEP;
  return drawing(
    {
      name,
      title,
      description:
        `From bottom to top, each folder may import from those below it. In ${left.where.slice(0, -1)}: ${left.names.join(", ")}. ` +
        `Inside ${right.where.slice(0, -1)}: ${right.names.join(", ")}.`,
      width: 860,
      height: height + 90,
    },
    [
      text(left.where, 60, 30, { role: "head" }),
      text(right.where, 480, 30, { role: "head" }),
      ...stack(left.names, left.contents, left.where, { x: 60, y: top(left), width: 350, step: STEP }), // prettier-ignore
      ...stack(right.names, right.contents, right.where, { x: 480, y: top(right), width: 360, step: STEP }), // prettier-ignore
      arrow([36, 16 + top(left)], [36, height + 20]),
      arrow([456, 16 + top(right)], [456, height + 20]),
      text(note, 60, height + 72, { role: "quiet" }),
    ],
  );
}

export const folders = () =>
  stacks(
    "folders",
    "Folders, in the order in which they may import",
    [
      { where: "src/", names: layers, contents: CONTENTS },
      { where: "src/learning/", names: learningLayers, contents: LEARNING },
    ],
    `${LOWER} node/ (files, threads) stands beside federation/.`,
  );

export const foldersOfDataAndCommands = () =>
  stacks(
    "folders-data-cli",
    "Folders of data and commands, in the order in which they may import",
    [
      { where: "src/data/", names: dataLayers, contents: DATA },
      { where: "src/cli/", names: cliLayers, contents: CLI },
    ],
    `${LOWER} node/ may be imported in src/cli/.`,
  );
