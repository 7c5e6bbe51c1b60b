/**
 * Task relationships and the models themselves at eps 0.1: on the simulated data, and on School's first 20 tasks.
 */
import { makeEstimator, Pipeline, simulate, TaskSet } from "../../../build/modules/index.js";
import { heatMapFigure } from "../../../build/modules/report/index.js";
import { school } from "../data.js";
import { methodsOf } from "../settings.js";
import { OLDER } from "./older-noise.js";
import { correlationWords, everyOther, relationshipMaps } from "./relationship-map.js";

const EPSILON = 0.1;
const random = { mode: "seeded", seed: "paper" };

/** The models, the largest entry 1. */
function modelMap(title, some, count, d) {
  const largest = some.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return { title, values: some.map((value) => value / largest), rows: count, columns: d };
}

async function bothFigures(harness, { name, about, train, truth, methods, shown, experiment }) {
  const { d } = train;
  const fitted = truth ? [["truth", truth]] : [];
  for (const [title, method, options] of methods) {
    const budget = method.startsWith("mp-") || method.startsWith("dp-");
    const extra = budget ? { epsilon: EPSILON, delta: "papers", random } : {};
    const { weights } = await makeEstimator(method, { ...options, ...extra }).fit(train);
    fitted.push([title, weights]);
  }
  const some = fitted.map(([title, weights]) => [title, everyOther(weights, d, shown)]);
  const common = { command: harness.command(experiment), rowTitle: "task", range: "shared" };
  return [
    heatMapFigure({
      ...common,
      name: `${name}-relationships`,
      title: `Task relationships at eps ${EPSILON}, ${about}`,
      caption:
        "Omega = (W^T W)^(1/2), 1 on the diagonal. The texts' noise is at nominal eps: no guarantee. " +
        correlationWords(truth ? "the truth" : "learning alone"),
      alt: "Heat maps of task relationships, one for each method.",
      columnTitle: "task",
      valueTitle: "relationship",
      maps: relationshipMaps(some, shown.count, d),
    }),
    heatMapFigure({
      ...common,
      name: `${name}-models`,
      title: `Models at eps ${EPSILON}, ${about}`,
      caption:
        "Rows are tasks' models; each map's largest entry is 1. The texts' noise is at nominal eps: no guarantee.",
      alt: "Heat maps of model matrices, one for each method.",
      columnTitle: "feature",
      valueTitle: "weight",
      maps: some.map(([title, models]) => modelMap(title, models, shown.count, d)),
    }),
  ];
}

/** The methods of the paper's figure, with noise whose guarantee holds and with the older text's. */
function methodsOn(set, joint, [method, options]) {
  const named = (name) => methodsOf(set, [name])[0];
  const relationship = methodsOf("low-rank", ["dp-task-relationship"])[0];
  return [
    ["single-task", ...named("single-task")],
    [`${joint} (not private)`, ...named(joint)],
    [`${method}, eps ${EPSILON}`, method, options],
    [`${method}, older text's noise`, method, { ...options, ...OLDER }],
    ["dp-task-relationship", ...relationship],
  ];
}

export async function relationshipsTenth(harness) {
  const experiment = "relationships-tenth";
  const figures = [];
  for (const [pattern, joint, method] of [
    ["low-rank", "trace-norm", "mp-low-rank"],
    ["group-sparse", "group-sparse", "mp-group-sparse"],
  ]) {
    const { train, weights } = simulate({ pattern, seed: "paper" });
    const methods = methodsOn(pattern, joint, methodsOf(pattern, [method])[0]);
    figures.push(
      ...(await bothFigures(harness, {
        name: `tenth-${pattern}`,
        about: `${pattern} data, every fourth task`,
        experiment,
        train,
        truth: weights,
        methods,
        shown: { step: 4, count: train.m / 4 },
      })),
    );
  }
  return figures;
}

/** School's first 20 tasks, learned among all. */
export async function schoolRelationships(harness) {
  const all = TaskSet.adopt(await school(harness.dataFolder));
  const train = Pipeline.fit(all, [{ kind: "unit-rows" }]).apply(all);
  const methods = methodsOn("school", "trace-norm", methodsOf("school", ["mp-low-rank"])[0]);
  return bothFigures(harness, {
    name: "school",
    about: "School, first 20 tasks",
    experiment: "school-relationships",
    train,
    methods,
    shown: { step: 1, count: 20 },
  });
}
