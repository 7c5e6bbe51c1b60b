/**
 * How tasks are related, as a picture: Omega = (W^T W)^(1/2) of their models, 1 on the diagonal so that pictures compare.
 */
import { taskRelationship } from "../../../build/modules/index.js";
import { mean } from "../../accuracy/means.js";

/** One map of a figure. @param models [count, d] */
function relationshipMap(title, models, count, d) {
  const omega = taskRelationship(models, count, d);
  const values = omega.map((value, at) => {
    const [i, j] = [Math.floor(at / count), at % count];
    const scale = Math.sqrt(omega[i * count + i] * omega[j * count + j]);
    return scale > 0 ? value / scale : 0;
  });
  return { title, values, rows: count, columns: count };
}

/** Pearson's correlation of two maps over all pairs of different tasks. */
function correlation(one, other) {
  const pairs = ({ values, rows }) => values.filter((_, at) => at % rows > Math.floor(at / rows));
  const [a, b] = [pairs(one), pairs(other)].map((own) => {
    const center = mean(own);
    return own.map((value) => value - center);
  });
  const product = (x, y) => x.reduce((sum, value, k) => sum + value * y[k], 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

/**
 * Maps of several methods' models, each with its correlation with the first in its title.
 * @param named [title, models] of each
 */
export function relationshipMaps(named, count, d) {
  const maps = named.map(([title, models]) => relationshipMap(title, models, count, d));
  return maps.map((map, k) =>
    k === 0 ? map : { ...map, title: `${map.title}: ${correlation(maps[0], map).toFixed(3)}` },
  );
}

/** What the numbers in the titles are, in a figure's caption. @param first what the others are compared with */
export const correlationWords = (first) =>
  `In the titles: the correlation with ${first}, over pairs of tasks.`;

/** Models of the tasks first, first + step, ... */
export function everyOther(weights, d, { step, count }) {
  const some = new Float64Array(count * d);
  for (let i = 0; i < count; i++) {
    some.set(weights.subarray(step * i * d, (step * i + 1) * d), i * d);
  }
  return some;
}
