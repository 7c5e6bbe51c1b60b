/**
 * Where a promise is stated whose noise is drawn in floating point, which no proof covers to the last bit.
 * @module
 */
import { faultsIn } from "./fault.js";

const MARKED = faultsIn("src/privacy/mechanisms", {
  "mechanism.ts": [
    {
      from: "why.includes(REAL_NUMBERS_ONLY);",
      to: 'why === REAL_NUMBERS_ONLY.replace("; ", "");',
      breaks: "Noise in floating point is told from exact noise.",
    },
  ],
});

const STATEMENTS = faultsIn("src/learning", {
  "release/plan-statement.ts": [
    {
      from: "stages.some(({ mechanism }) => isOfRealNumbersOnly(mechanism))",
      to: "isOfRealNumbersOnly(main.mechanism)",
      breaks: "Noise in floating point of any release is said of all.",
    },
  ],
  "release/own-release.ts": [
    {
      from: "isOfRealNumbersOnly(joint) ? inRealNumbersOnly(mechanism) : mechanism;",
      to: "mechanism;",
      breaks:
        "A promise against whoever has a model says how the noise of the shared releases was drawn.",
    },
  ],
  "tuning/select-privately.ts": [
    {
      from: "budget.floats ? inRealNumbersOnly(ofRun) : ofRun;",
      to: "ofRun;",
      breaks: "The choice among runs rests on the noise of each.",
    },
  ],
});

const MODELS = faultsIn("src/learning/fitted/summary", {
  "in-words.ts": [
    {
      from: 'isOfRealNumbersOnly(guarantee) ? ", proven for real numbers only" : ""',
      to: '""',
      breaks: "A model in a line says that its promise is of real numbers only.",
    },
    {
      from: '? " (zero-out)"',
      to: '? ""',
      breaks: "A model in a line says which promise is the weaker one.",
    },
  ],
});

const TEXTS = faultsIn("src/cli", {
  "fitted/guarantee-text.ts": [
    {
      from: "guarantee.sound && isOfRealNumbersOnly(guarantee)",
      to: "!guarantee.sound && isOfRealNumbersOnly(guarantee)",
      breaks: "The short text of a guarantee says it.",
    },
    {
      from: "    ...floatsWords(guarantee),\n    ...trust,",
      to: "    ...trust,",
      breaks: "What an owner is told says it.",
    },
  ],
  "fitted/promise-in-words.ts": [
    {
      from: 'isOfRealNumbersOnly(guarantee) ? FLOATS : ""',
      to: '""',
      breaks: "The promise in plain words says it.",
    },
  ],
  "account/cost-text.ts": [
    {
      from: "mechanism?.sound && isOfRealNumbersOnly(mechanism)",
      to: "mechanism?.sound && !isOfRealNumbersOnly(mechanism)",
      breaks: "What noise costs is said with it.",
    },
  ],
  "evaluation/findings/promise.ts": [
    {
      from: "guarantee?.sound === true && guarantee.floats === true",
      to: "guarantee?.sound === true && guarantee.floats === undefined",
      breaks: "An evaluation names the methods whose noise it is.",
    },
  ],
  "evaluation/cells/run-cell.ts": [
    {
      from: "floats: isOfRealNumbersOnly(guarantee),",
      to: "floats: false,",
      breaks: "Results hold whose noise it is.",
    },
  ],
});

const PLANS = faultsIn("src/federation/protocol/words", {
  "plan-promise.ts": [
    {
      from: 'drawnInFloats(plan) ? FLOATS : ""',
      to: '""',
      breaks: "Who is to agree to a plan is told so.",
    },
  ],
});

export const FAULTS = [...MARKED, ...STATEMENTS, ...MODELS, ...TEXTS, ...PLANS];
