/**
 * Task relationships on the low-rank data: the truth, and what each method recovers.
 */
import { makeEstimator, simulate, taskRelationship } from "../../../build/modules/index.js";
import { heatMapFigure } from "../../../build/modules/report/index.js";
import { methodsOf } from "../settings.js";

/** Every fourth of the 320 tasks is shown. */
const STEP = 4;

export async function relationships(harness) {
  const { train, weights } = simulate({ pattern: "low-rank", seed: "paper" });
  const { m, d } = train;
  const shown = Math.floor(m / STEP);
  const map = (title, all) => {
    const some = new Float64Array(shown * d);
    for (let i = 0; i < shown; i++) some.set(all.subarray(STEP * i * d, (STEP * i + 1) * d), i * d);
    // Correlation form, so that maps compare: 1 on the diagonal.
    const omega = taskRelationship(some, shown, d);
    const values = omega.map((value, at) => {
      const [i, j] = [Math.floor(at / shown), at % shown];
      const scale = Math.sqrt(omega[i * shown + i] * omega[j * shown + j]);
      return scale > 0 ? value / scale : 0;
    });
    return { title, values, rows: shown, columns: shown };
  };
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
      "a quarter of each with the sign turned); every fourth task is shown.",
    alt: "Heat maps of task relationships: four blocks in the truth, and how clearly each method shows them.",
    command: harness.command("relationships"),
    rowTitle: "task (every fourth)",
    columnTitle: "task (every fourth)",
    valueTitle: "relationship",
    range: "shared",
    maps,
  });
  return [figure];
}
