/**
 * Simulated tables, training and test rows: models of tasks around a common one, features even on [-1, 1], 30 test rows a task.
 * How far models lie apart, and what else tables differ in, is drawn anew for every table.
 */
import seedrandom from "seedrandom";
import { TaskSet } from "../../build/modules/index.js";

const TEST_ROWS = 30;

function drawsOf(seed) {
  const uniform = seedrandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    normal,
    /** Even on a logarithmic scale. */
    scale: (least, most) => least * (most / least) ** uniform(),
    list: (length, of) => Array.from({ length }, of),
  };
}

/** Both parts as tasks. */
function parts(drawn) {
  const set = (part) => TaskSet.from(drawn.map((one) => one[part]));
  return { train: set("train"), test: set("test") };
}

/** A target of numbers: 3 to 17 rows a task; spread and noise differ by table. */
export function tableOfNumbers({ m, d, seed }) {
  const { uniform, normal, list } = drawsOf(seed);
  const [mean, spread, noise] = [0.6, 0.1 + 0.4 * uniform(), 0.2 + 0.4 * uniform()];
  const common = list(d + 1, () => (mean * normal()) / Math.sqrt(d));
  const drawn = list(m, (_, i) => {
    const w = common.map((value) => value + (spread * normal()) / Math.sqrt(d));
    const rows = (n) => {
      const x = list(n, () => list(d, () => 2 * uniform() - 1));
      const y = x.map(
        (row) => row.reduce((s, v, k) => s + v * w[k], w[d]) + (noise / 2) * normal(),
      );
      return { name: `t${i}`, x, y };
    };
    return { train: rows(3 + Math.floor(15 * uniform())), test: rows(TEST_ROWS) };
  });
  return parts(drawn);
}

/**
 * A target of classes, 0 and 1 of two, each drawn by a softmax of scores: 2 to 30 rows a task in the mean, common slopes that
 * spread the log-odds by .3 to 2, and tasks' slopes and intercepts around them by .1 to 1 and .1 to 1.5, all by table.
 */
export function tableOfLabels({ m, d, classes, seed }) {
  const { uniform, normal, scale, list } = drawsOf(seed);
  const [common, slopes, intercepts] = [scale(0.3, 2), scale(0.1, 1), scale(0.1, 1.5)];
  const rowsPerTask = scale(2, 30);
  // One against the other has the difference of two scores.
  const each = 1 / Math.sqrt(2);
  const slope = (size) => each * size * Math.sqrt(3 / d) * normal();
  const shared = list(classes, () =>
    list(d + 1, (_, k) => (k < d ? slope(common) : each * normal())),
  );
  const drawn = list(m, (_, i) => {
    const models = shared.map((w) =>
      w.map((value, k) => value + (k < d ? slope(slopes) : each * intercepts * normal())),
    );
    const label = (row) => {
      const odds = models.map((w) => Math.exp(row.reduce((s, v, k) => s + v * w[k], w[d])));
      let left = uniform() * odds.reduce((a, b) => a + b);
      const at = odds.findIndex((odd) => (left -= odd) < 0);
      return at < 0 ? classes - 1 : at;
    };
    const rows = (n) => {
      const x = list(n, () => list(d, () => 2 * uniform() - 1));
      return {
        name: `t${i}`,
        x,
        y: x.map((row) => (classes > 2 ? label(row) : 2 * label(row) - 1)),
      };
    };
    const count = Math.max(1, Math.round(rowsPerTask * (0.5 + uniform())));
    return { train: rows(count), test: rows(TEST_ROWS) };
  });
  return parts(drawn);
}
