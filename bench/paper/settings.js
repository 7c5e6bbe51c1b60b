/**
 * The hyper-parameters of the experiments. They were found on other seeds than those used here and
 * are the same for every eps; choosing them on one's own data would have to be charged.
 */
import { METHOD_NAMES } from "../../build/modules/index.js";

/** Budgets of the privacy-accuracy curves. */
export const EPSILONS = [0.1, 0.3, 1, 3, 10];

const ridge = { initialPenalty: 3e-4 };
/** The papers' models go through the origin. */
export const noIntercept = { intercept: false };
/** The algorithms as the papers have them. */
const bare = { safeguard: false };
const own = { clipIterate: false, stepSize: "own" };

/** By data set: options of each method. Methods that this build does not have are left out. */
const SETTINGS = {
  "low-rank": {
    "single-task": { lambda: 3e-4 },
    "trace-norm": { lambda: 0.3 },
    "mp-low-rank": { ...bare, clip: 20, ...own, ...ridge, lambda: 1.5, rounds: 50 },
    "dp-aggregation": { lambda: 1, slopeBound: 20 },
    "dp-task-relationship": { lambda: 10, lambda2: 0.1, slopeBound: 2, rounds: 1 },
    "mp-feature-learning": {},
    "mp-hierarchical": {},
  },
  "group-sparse": {
    "single-task": { lambda: 3e-4 },
    "group-sparse": { lambda: 0.3 },
    "mp-group-sparse": { ...bare, clip: 20, ...own, ...ridge, lambda: 1, rounds: 50 },
    "dp-aggregation": { lambda: 1, slopeBound: 20 },
    "dp-task-relationship": { lambda: 10, lambda2: 0.1, slopeBound: 2, rounds: 1 },
    "mp-feature-learning": { sharing: "diagonal" },
  },
  school: {
    "single-task": { lambda: 3e-5 },
    "trace-norm": { lambda: 0.1 },
    "mp-low-rank": {
      ...bare,
      clip: 30,
      clipIterate: false,
      initialPenalty: 3e-5,
      lambda: 1,
      rounds: 10,
    },
    pmtl: { ...bare, clip: 80, lambda: 3e-4, localSteps: "solve", rounds: 30 },
    "mp-feature-learning": {},
    "mp-hierarchical": {},
  },
  landmine: {
    "single-task": { lambda: 1e-4 },
    "trace-norm": { lambda: 0.003 },
    "mp-low-rank": {
      ...bare,
      clip: 2,
      clipIterate: false,
      initialPenalty: 1e-4,
      lambda: 0.1,
      rounds: 5,
    },
    pmtl: { ...bare, clip: 2, lambda: 0.01, localSteps: 20, rounds: 5 },
    "mp-feature-learning": {},
    "mp-hierarchical": {},
  },
};

/** @returns {[string, object][]} methods of a data set with their options. */
export function methodsOf(dataSet, only) {
  return Object.entries(SETTINGS[dataSet])
    .filter(([method]) => METHOD_NAMES.includes(method) && (!only || only.includes(method)))
    .map(([method, options]) => [method, { ...noIntercept, ...options }]);
}
