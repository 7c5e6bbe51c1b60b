/**
 * Task relationships on the low-rank data: the truth, and what each method recovers.
 */
import { makeEstimator, simulate } from "../../../build/modules/index.js";
import { heatMapFigure } from "../../../build/modules/report/index.js";
import { methodsOf } from "../settings.js";
import { correlationWords, everyOther, relationshipMaps } from "./relationship-map.js";

/** Every fourth of the 320 tasks is shown. */
const STEP = 4;

export async function relationships(harness) {
  const { train, weights } = simulate({ pattern: "low-rank", seed: "paper" });
  const { m, d } = train;
  const shown = { step: STEP, count: Math.floor(m / STEP) };
  const map = (title, all) => [title, everyOther(all, d, shown)];
  const options = Object.fromEntries(methodsOf("low-rank"));
  const fit = async (method, extra = {}) =>
    (await makeEstimator(method, { ...options[method], ...extra }).fit(train)).weights;
  const random = { mode: "seeded", seed: "paper" };
  const maps = [
    map("truth", weights),
    map("single-task", await fit("single-task")),
    map("trace-norm (not private)", await fit("trace-norm")),
  ];
  for (const method of ["mp-low-rank", "mp-feature-learning"]) {
    if (!(method in options)) continue;
    for (const epsilon of [1, 10]) {
      maps.push(map(`${method}, eps ${epsilon}`, await fit(method, { epsilon, random })));
    }
  }
  const figure = heatMapFigure({
    name: "relationships",
    title: "Task relationships",
    caption:
      "Omega = (W^T W)^(1/2), scaled to 1 on the diagonal, on the low-rank data (4 clusters of 80 tasks, " +
      "a quarter of each with the sign turned); every fourth task is shown. " +
      correlationWords("the truth"),
    alt: "Heat maps of task relationships: four blocks in the truth, and how clearly each method shows them.",
    command: harness.command("relationships"),
    rowTitle: "task (every fourth)",
    columnTitle: "task (every fourth)",
    valueTitle: "relationship",
    range: "shared",
    maps: relationshipMaps(maps, shown.count, d),
  });
  return [figure];
}
