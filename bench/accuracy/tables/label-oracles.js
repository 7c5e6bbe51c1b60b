/**
 * Fits of the private mixed model of two classes in which an oracle may tell what the releases would have to: what `label-bounds.js` runs. None of
 * them is private.
 */
import { openCore } from "../../../build/modules/core/index.js";
import { triangle, unpacked } from "../../../build/modules/linalg/packed-symmetric.js";
import { averagedLogOdds } from "../../../build/modules/learning/fitted/posterior/posterior-mixture.js";
import { attenuationRatio } from "../../../build/modules/learning/families/mixed/labels/effects/logistic-attenuation.js";
import { scoreMetric } from "../../../build/modules/learning/families/mixed/labels/effects/logistic-scores.js";
import { syntheticColumns } from "../../../build/modules/learning/families/mixed/labels/evidence/logistic-synthetic.js";
import { logisticPlan } from "../../../build/modules/learning/families/mixed/labels/logistic-plan.js";
import { LogisticState } from "../../../build/modules/learning/families/mixed/labels/logistic-state.js";
import { LogisticTasks } from "../../../build/modules/learning/families/mixed/labels/logistic-tasks.js";
import { taskPriors } from "../../../build/modules/learning/families/mixed/labels/priors/hypothesis-priors.js";
import {
  declaredUnits,
  inUnits,
} from "../../../build/modules/learning/families/mixed/units/units.js";
import { withConstantColumn } from "../../../build/modules/learning/tasks/constant-column.js";
import { targetsOf } from "../../../build/modules/learning/tasks/targets.js";
import { gaussianMu } from "../../../build/modules/privacy/index.js";
import { normals, openStream } from "../../../build/modules/random/index.js";

/** Of a state that takes sums without noise: clips as high as there are. */
const ALMOST_WITHOUT_NOISE = 1e6;
/** Bound on the score where all else is known. */
const SCORE_CLIP = 0.5;

const core = openCore();

/** Rows with the constant, in the exchange's units. */
function rowsOf(tasks, classes) {
  const { x, offsets, encoding } = withConstantColumn(tasks);
  const { y, classes: found } = targetsOf(tasks, "logistic", classes);
  const units = declaredUnits(tasks.encoding ?? encoding, 1);
  return { ...inUnits(units, { x, y, offsets }), classes: found };
}

/** Training and test rows of a split as a fit. */
export function labelFit({ train, test }, name) {
  const rows = rowsOf(train);
  return {
    name,
    rows,
    tested: rowsOf(test, rows.classes),
    own: test.names.map((one) => train.names.indexOf(one)),
    columns: syntheticColumns(train.encoding),
    sizes: { m: train.m, d: train.d + 1, meanRows: train.size / train.m },
  };
}

/** Replace adjacency, delta = 1/(m ln m). */
export const budgetOf = ({ sizes: { m } }, epsilon) => gaussianMu(epsilon, 1 / (m * Math.log(m)));

/** Sum of uploads, [length], with noise of its own for each release: runs that differ elsewhere have the same. */
function released(uploads, m, deviation, seed) {
  const length = uploads.length / m;
  const sum = new Float64Array(length);
  uploads.forEach((value, at) => (sum[at % length] += value));
  if (deviation === 0) return sum;
  const stream = openStream(core, { mode: "seeded", seed });
  normals(stream, length).forEach((z, k) => (sum[k] += deviation * z));
  stream.close();
  return sum;
}

/**
 * A fit. @param silent labels of releases without noise; @param plan releases, default those of the method; @param stateMu the budget that the
 * state takes its clips from; @param after what an oracle tells after a release.
 */
export function run(fit, mu, { seed, silent = [], plan, stateMu = mu, after }) {
  const { rows, sizes, columns } = fit;
  const releases = plan ?? logisticPlan(sizes, mu);
  const state = new LogisticState(sizes, stateMu, releases, { columns });
  const tasks = new LogisticTasks(rows, sizes.d);
  releases.forEach(({ label, statistic, fraction }, k) => {
    const sensitivity = statistic === "moment" ? Math.SQRT2 : 2;
    const noise = silent.includes(label) ? 0 : sensitivity / (mu * Math.sqrt(fraction));
    const sum = released(tasks.upload(label, state), sizes.m, noise, `${seed} ${k}`);
    state.receive(k, sum, noise);
    after?.(state, label, sum);
  });
  return { state, tasks };
}

/** The method without noise. */
export const truthOf = (fit) => run(fit, Infinity, { seed: fit.name });

/** The whole budget to one score from zero, all else as the truth has it. */
export function scoreAlone(fit, mu, truth, seed) {
  const { m, d } = fit.sizes;
  const vector = (label, length) => ({ label, length, statistic: "vector", fraction: 1 });
  const plan = [
    vector("evidence", truth.grid.count),
    // Told nothing of: what tasks are expected to say is worked out after the release before.
    vector("comparison", 2),
    { ...vector("information", triangle(d)), statistic: "moment" },
    vector("score", d),
    vector("comparison", 2),
  ];
  const after = (state, label, sum) => {
    if (label === "evidence") {
      state.clips = { ...state.clips, score: SCORE_CLIP };
      takeVariances(state, truth);
    } else if (label === "information") {
      const { scales, uncertainty, informationClip } = state;
      const known = unpacked(
        sum.map((value) => value * informationClip),
        d,
      );
      const relative = uncertainty.map(
        (value, at) => value / (scales[Math.floor(at / d)] * scales[at % d]),
      );
      state.metric = scoreMetric(known, relative, m, d, 2 / mu);
    }
  };
  const silent = ["evidence", "information", "comparison"];
  return run(fit, mu, { seed, plan, silent, stateMu: ALMOST_WITHOUT_NOISE, after });
}

const stretched = (state, ratio) => {
  state.mean = state.mean.map((value) => value * ratio);
  state.uncertainty = state.uncertainty.map((value) => value * ratio ** 2);
};

/** How far tasks lie apart, as the truth has it. */
export function takeVariances(state, truth) {
  stretched(state, attenuationRatio(truth.scales, state.scales, state.squares));
  state.scales = truth.scales;
  state.belief = truth.belief;
  state.aloneBelief = truth.aloneBelief;
}

/** The fixed effects as the truth has them. */
export function takeEffects(state, truth) {
  state.mean = truth.mean;
  state.uncertainty = truth.uncertainty;
  stretched(state, attenuationRatio(state.scales, truth.scales, state.squares));
}

/** Log-loss on the test rows. @param tell what an oracle tells of the state for own models alone. */
export function lossOf({ sizes: { m, d }, tested, own }, { state, tasks }, tell = undefined) {
  const kept = { ...state };
  tell?.(state);
  const { mixtures } = tasks.solve(taskPriors(state));
  Object.assign(state, kept);
  let sum = 0;
  own.forEach((task, i) => {
    const ofTask = ([part, all]) => {
      const length = all.length / m;
      return [part, all.slice(task * length, (task + 1) * length)];
    };
    const mixture = Object.fromEntries(Object.entries(mixtures).map(ofTask));
    const [from, to] = [tested.offsets[i], tested.offsets[i + 1]];
    const x = tested.x.subarray(from * d, to * d).filter((_, at) => at % d < d - 1);
    averagedLogOdds(mixture, x, d - 1).forEach((logOdds, row) => {
      sum += Math.log1p(Math.exp(-logOdds * tested.y[from + row]));
    });
  });
  return sum / tested.y.length;
}
