/**
 * Ratings of the size of a public table, simulated: what benches of sparse rows fit.
 */
import { TaskSet } from "../../dist/index.js";
import { lehmer } from "../uniform-draws.js";

/**
 * Ratings: an item's own quality and a person's own level, and noise; popular items more often.
 * @param labels whether they are told as "good" and "bad" instead of numbers.
 */
export function ratings({ people, items, total, labels = false }) {
  const uniform = lehmer(1);
  const quality = Array.from({ length: items }, () => uniform() - 0.5);
  // 20 rows or more, most people with few and some with many; an exponential law cut at 737.
  const sizes = Array.from({ length: people }, () =>
    Math.min(737, Math.round(20 - (total / people - 20) * Math.log(1 - uniform()))),
  );
  const told = (rating) => (labels ? (rating > 0 ? "good" : "bad") : rating);
  const tasks = Array.from({ length: people }, (_, i) => {
    const n = sizes[i];
    const rated = new Set();
    while (rated.size < n) rated.add(Math.floor(items * uniform() * uniform()));
    const indices = [...rated];
    const level = uniform() - 0.5;
    return {
      name: `person-${i}`,
      x: {
        indptr: Array.from({ length: n + 1 }, (_, row) => row),
        indices,
        values: new Array(n).fill(1),
        shape: [n, items],
      },
      y: indices.map((item) => told(quality[item] + level + 0.5 * (uniform() - 0.5))),
    };
  });
  return TaskSet.from(tasks, labels ? { labels: ["bad", "good"] } : {});
}
