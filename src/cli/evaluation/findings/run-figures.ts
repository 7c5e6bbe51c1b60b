/**
 * Figures of single runs of an evaluation: noise to signal, eps over rounds, models, relationships.
 * @module
 */
import { isPrivateMethod, taskRelationship } from "../../../learning/index.js";
import { ALONE } from "../../../learning/methods.js";
import { transpose } from "../../../linalg/small-matrices.js";
import { curveFigure, heatMapFigure, type Figure } from "../../../report/index.js";
import type { CellResult } from "../cells/cell.js";
import type { Sketch } from "../cells/trace.js";

const runName = ({ method, epsilon }: CellResult) =>
  epsilon === null ? method : `${method}, eps ${epsilon}`;

/** Curves over releases, one line for each method and eps. */
function overReleases(cells: readonly CellResult[], command: string): Figure[] {
  const traced = cells.filter(({ trace }) => trace);
  const ratios = traced.flatMap((cell) =>
    cell.trace!.noiseToSignal.flatMap((y, k) =>
      y !== null && y > 0 ? [{ series: runName(cell), x: k + 1, y }] : [],
    ),
  );
  const spent = traced.flatMap((cell) =>
    cell.trace!.spent.map((y, k) => ({ series: runName(cell), x: k + 1, y })),
  );
  const common = { command, x: { title: "release" }, legend: "run" };
  return [
    ...(ratios.length > 0
      ? [
          curveFigure({
            ...common,
            name: "noise-to-signal",
            title: "Noise to signal over rounds",
            caption:
              "Norm of the noise over that of what it hides, release by release, on the first replicate. " +
              "Only whoever simulates can know it.",
            alt: "Line chart of the noise-to-signal ratio over releases for every private run.",
            y: { title: "noise / signal (logarithmic)", scale: "log" },
            points: ratios,
          }),
        ]
      : []),
    ...(spent.length > 0
      ? [
          curveFigure({
            ...common,
            name: "eps-over-rounds",
            title: "eps over rounds",
            caption:
              "What the ledger says was spent after each release, on the first replicate; with a plan fixed " +
              "beforehand the last value is that of the whole plan.",
            alt: "Line chart of the eps spent over releases for every private run.",
            y: { title: "eps spent" },
            points: spent,
          }),
        ]
      : []),
  ];
}

interface Shown {
  readonly title: string;
  readonly sketch: Sketch;
}

/** Before, leaked, protected: alone, shared in the open, and private at the least and largest eps. */
function chosenSketches(cells: readonly CellResult[]): Shown[] {
  const drawn = cells.flatMap((cell) => (cell.sketch ? [{ cell, sketch: cell.sketch }] : []));
  const alone = drawn.find(({ cell }) => cell.method === ALONE);
  const open = drawn.find(({ cell }) => cell.method !== ALONE && !isPrivateMethod(cell.method));
  const methods = [...new Set(drawn.map(({ cell }) => cell.method))].filter(isPrivateMethod);
  const protectedRuns = methods.slice(0, 2).flatMap((method) => {
    const runs = drawn
      .filter(({ cell }) => cell.method === method)
      .sort((a, b) => a.cell.epsilon! - b.cell.epsilon!);
    return runs.length > 1 ? [runs[0]!, runs.at(-1)!] : runs;
  });
  const shown = (title: string, one: (typeof drawn)[number]) => ({ title, sketch: one.sketch });
  return [
    ...(alone ? [shown(`before: ${ALONE}`, alone)] : []),
    ...(open ? [shown(`in the open: ${open.cell.method}`, open)] : []),
    ...protectedRuns.map((run) => shown(`protected: ${runName(run.cell)}`, run)),
  ];
}

/** Relationships of the tasks shown, 1 on the diagonal so that maps compare. */
function correlations({ tasks, features, values }: Sketch): number[] {
  const m = tasks.length;
  const omega = taskRelationship(Float64Array.from(values), m, features.length);
  return Array.from(omega, (value, at) => {
    const scale = Math.sqrt(omega[Math.floor(at / m) * (m + 1)]! * omega[(at % m) * (m + 1)]!);
    return scale > 0 ? value / scale : 0;
  });
}

function maps(cells: readonly CellResult[], command: string): Figure[] {
  const shown = chosenSketches(cells);
  if (shown.length === 0) return [];
  const [{ sketch }] = shown as [Shown];
  const step = (all: readonly number[]) => (all.length > 1 ? all[1]! - all[0]! : 1);
  const every = (what: string, by: number) => (by === 1 ? what : `${what} (one in ${by})`);
  const task = every("task", step(sketch.tasks));
  const feature = every("feature", step(sketch.features));
  const models = heatMapFigure({
    name: "models",
    title: "Models: before, in the open, protected",
    caption:
      "Weights of the first replicate's models, each map with its own range. Before: every task alone. In " +
      "the open: uploaded without noise, so that each model holds something of the others. Protected: the " +
      "private methods at the least and the largest eps.",
    alt: `Heat maps of weights, features by tasks, for ${shown.map(({ title }) => title).join("; ")}.`,
    command,
    rowTitle: feature,
    columnTitle: task,
    valueTitle: "weight",
    maps: shown.map(({ title, sketch: { values, tasks, features } }) => ({
      title,
      values: transpose(values, tasks.length, features.length),
      rows: features.length,
      columns: tasks.length,
    })),
  });
  if (sketch.tasks.length < 2) return [models];
  const relationships = heatMapFigure({
    name: "task-relationships",
    title: "Task relationships: before, in the open, protected",
    caption:
      "Omega = (W^T W)^(1/2) of the weights above, scaled to 1 on the diagonal: positive entries join tasks " +
      "with like models, negative ones tasks with opposite models.",
    alt: `Heat maps of relationships between tasks for ${shown.map(({ title }) => title).join("; ")}.`,
    command,
    rowTitle: task,
    columnTitle: task,
    valueTitle: "relationship",
    range: "shared",
    maps: shown.map(({ title, sketch: one }) => ({
      title,
      values: correlations(one),
      rows: one.tasks.length,
      columns: one.tasks.length,
    })),
  });
  return [models, relationships];
}

/** All that the first replicate's records allow. */
export function runFigures(cells: readonly CellResult[], command: string): Figure[] {
  return [...overReleases(cells, command), ...maps(cells, command)];
}
