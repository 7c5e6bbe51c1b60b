/**
 * Task sets of every shape, and their neighbours in one task or one record.
 * @module
 */
import fc from "fast-check";
import seedrandom from "seedrandom";
import { TaskSet } from "../../src/data/index.js";
import { rawEncoding } from "../../src/data/provenance/data-encoding.js";

/** A task set, as what it is made from. */
export interface Shape {
  /** Rows of every task. */
  readonly rows: readonly number[];
  readonly d: number;
  readonly seed: number;
  /** Whether columns and target have a declared range. */
  readonly declared: boolean;
}

export const shapes: fc.Arbitrary<Shape> = fc.record({
  rows: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 6 }),
  d: fc.integer({ min: 1, max: 5 }),
  seed: fc.nat(1e6),
  declared: fc.boolean(),
});

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

/** How the sets are made, beside their shape. */
export interface Limits {
  /** B, no row is longer. */
  readonly bound: number;
  /** Labels, or 0 for numbers. */
  readonly levels: number;
}

/** The task set of a shape. */
export function makeData({ rows, d, seed, declared }: Shape, limits: Limits): TaskSet {
  const random = seedrandom(`data ${seed}`);
  const parts = rows.map((n) => drawTask(random, n, d, limits.bound, limits.levels));
  const offsets = new Uint32Array(rows.length + 1);
  rows.forEach((n, i) => (offsets[i + 1] = offsets[i]! + n));
  const featureNames = Array.from({ length: d }, (_, j) => `x${j}`);
  const targetLevels = limits.levels > 0 ? ["a", "b", "c"].slice(0, limits.levels) : undefined;
  const scale = { center: 0, halfWidth: 1 };
  const raw = rawEncoding(featureNames, { levelsDeclared: limits.levels > 0 });
  const encoding = declared
    ? {
        ...raw,
        columns: raw.columns.map((column) => ({ ...column, scale })),
        target: { ...raw.target, scale: limits.levels > 0 ? null : scale },
      }
    : raw;
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

/** What of a task changes. */
export interface Change {
  /** Position of the task. */
  readonly task: number;
  /** "record": its first row only. */
  readonly unit: "task" | "record";
  /** Whether a record becomes zero instead of another. */
  readonly zero: boolean;
  readonly seed: number;
}

/** The same set but for one task's rows, or one record; sizes, names and labels are public and stay. */
export function neighbourOf(data: TaskSet, change: Change, limits: Limits): TaskSet {
  const { task, unit, zero, seed } = change;
  const { d, offsets, names, featureNames, targetName, targetLevels, encoding } = data;
  const n = unit === "record" ? 1 : offsets[task + 1]! - offsets[task]!;
  const other = drawTask(seedrandom(`neighbour ${seed}`), n, d, limits.bound, limits.levels);
  const [x, y] = [data.x.slice(), data.y.slice()];
  x.set(zero ? new Float64Array(n * d) : other.x, offsets[task]! * d);
  y.set(zero ? new Float64Array(n) : other.y, offsets[task]);
  const levels = targetLevels ? { targetLevels } : {};
  return TaskSet.adopt({ x, y, offsets, names, featureNames, targetName, encoding, ...levels });
}
