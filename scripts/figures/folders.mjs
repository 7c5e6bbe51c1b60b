/** The folders of src/ and of src/learning/ in the order in which they may import, as eslint.config.js has it. */
import { layers, learningLayers } from "../../eslint.config.js";
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
  tasks: "rows in kernel memory, losses, ridge",
  models: "networks, models of one's own",
  fitted: "fitted models, scores, intervals",
  round: "one round: participants, curator, loop",
  sharing: "sharing rules: noisy statistic to broadcast",
  steps: "local steps",
  options: "options and methods as declarations",
  parallel: "a fit's tasks spread over threads",
  release: "the release plan, charges and draws",
  convex: "solvers and certificates without noise",
  "local-selection": "fallback, checkpoints, pooled votes",
  families: "parts that several methods share",
  prospects: "what a budget buys, by public facts",
  estimators: "one file for each method",
  auto: "the method that a fit takes unasked",
  tuning: "cross-validation, private selection",
  audit: "attacks on mechanisms and fits",
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
const HEIGHT = Math.max(layers.length, learningLayers.length) * STEP;

export const folders = () =>
  drawing(
    {
      name: "folders",
      title: "Folders, in the order in which they may import",
      description:
        `From bottom to top, each folder may import from those below it. In src: ${layers.join(", ")}. ` +
        `Inside src/learning: ${learningLayers.join(", ")}.`,
      width: 860,
      height: HEIGHT + 90,
    },
    [
      text("src/", 60, 30, { role: "head" }),
      text("src/learning/", 480, 30, { role: "head" }),
      ...stack(layers, CONTENTS, "src/", {
        x: 60,
        y: 44 + HEIGHT - layers.length * STEP,
        width: 350,
        step: STEP,
      }),
      ...stack(learningLayers, LEARNING, "src/learning/", {
        x: 480,
        y: 44,
        width: 360,
        step: STEP,
      }),
      arrow([36, 60 + HEIGHT - layers.length * STEP], [36, HEIGHT + 20]),
      arrow([456, 60], [456, HEIGHT + 20]),
      text(
        "A folder imports from those below it, never upward. node/ (files, threads) stands beside federation/.",
        60,
        HEIGHT + 72,
        { role: "quiet" },
      ),
    ],
  );
