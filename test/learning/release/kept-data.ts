/**
 * The task set of the kept fits, drawn in a way that never changes: their numbers hang on it.
 * @module
 */
import seedrandom from "seedrandom";
import { TaskSet } from "../../../src/data/index.js";
import { rawEncoding } from "../../../src/data/provenance/data-encoding.js";

const rows = [5, 3, 8, 2];
const d = 3;

type Random = () => number;

const normal = (random: Random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;

/** Kinds of rows: anywhere, all along one axis, nothing, all the same. */
const ROWS = ["any", "axis", "axis", "zero", "same"] as const;
/** Kinds of targets: ordinary, of another size, far beyond every bound, constant. */
const TARGETS = ["ordinary", "small", "far", "far", "constant"] as const;

/** One task's rows [n, d], none longer than the bound, and targets [n]. */
function drawTask(random: Random, n: number, d: number, bound: number, levels: number) {
  const kind = pick(random, ROWS);
  const targets = pick(random, TARGETS);
  const [axis, level] = [Math.floor(random() * d), Math.floor(random() * levels)];
  const x = new Float64Array(n * d);
  const y = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    const at = row * d;
    const sign = random() < 0.5 ? -1 : 1;
    if (kind === "axis") x[at + axis] = sign * bound;
    else if (kind === "same" && row > 0) x.copyWithin(at, 0, d);
    else if (kind !== "zero") {
      const raw = Array.from({ length: d }, () => normal(random));
      const length = Math.hypot(...raw) / (random() < 0.5 ? 1 : random());
      raw.forEach((value, j) => (x[at + j] = (value / length) * bound * (1 - 1e-12)));
    }
    if (levels > 0) y[row] = targets === "constant" ? level : Math.floor(random() * levels);
    else if (targets === "constant") y[row] = 1;
    else if (targets === "far") y[row] = kind === "axis" ? sign * 1e6 : 1e6 * normal(random);
    else y[row] = (targets === "small" ? 1e-3 : 1) * normal(random);
  }
  return { x, y };
}

/** The task set: rows within the unit ball, numbers or so many labels, and declared ranges. */
export function keptData(levels: number): TaskSet {
  const random = seedrandom("data 4");
  const parts = rows.map((n) => drawTask(random, n, d, 1, levels));
  const offsets = new Uint32Array(rows.length + 1);
  rows.forEach((n, i) => (offsets[i + 1] = offsets[i]! + n));
  const featureNames = Array.from({ length: d }, (_, j) => `x${j}`);
  const targetLevels = levels > 0 ? ["a", "b", "c"].slice(0, levels) : undefined;
  const scale = { center: 0, halfWidth: 1 };
  const raw = rawEncoding(featureNames, { levelsDeclared: levels > 0 });
  const encoding = {
    ...raw,
    columns: raw.columns.map((column) => ({ ...column, scale })),
    target: { ...raw.target, scale: levels > 0 ? null : scale },
  };
  return TaskSet.adopt({
    x: Float64Array.from(parts.flatMap(({ x }) => [...x])),
    y: Float64Array.from(parts.flatMap(({ y }) => [...y])),
    offsets,
    names: rows.map((_, i) => `t${i}`),
    featureNames,
    targetName: "y",
    ...(targetLevels ? { targetLevels } : {}),
    encoding,
  });
}
