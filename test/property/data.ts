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
  /** How rows are given beside their numbers: with weights, sparse, or with a column that is each task's own. */
  readonly form?: Form;
}

export const FORMS = ["plain", "weighted", "sparse", "sparse, weighted", "own column"] as const;
export type Form = (typeof FORMS)[number];

/** Mostly few rows and features; now and then enough that folds, pieces of eight and lanes are more than one. */
export const shapes: fc.Arbitrary<Shape> = fc.record({
  rows: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 9 }) },
      { weight: 1, arbitrary: fc.integer({ min: 10, max: 40 }) },
    ),
    { minLength: 2, maxLength: 6 },
  ),
  d: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.integer({ min: 6, max: 45 }) },
  ),
  seed: fc.nat(1e6),
  declared: fc.boolean(),
  form: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Form>("plain") },
    { weight: 2, arbitrary: fc.constantFrom(...FORMS) },
  ),
});

type Random = () => number;

const normal = (random: Random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;

/**
 * Kinds of rows: anywhere, at the bound, all along one axis, nothing, all the same, all the same but one, all along one line, with a
 * column that never changes, with numbers whose squares vanish, and numbers next to the largest.
 */
const ROWS = [
  ...(["any", "bound", "axis", "axis", "zero", "same", "but-one", "line", "constant"] as const),
  ...(["tiny", "huge"] as const),
];
/** Kinds of targets: ordinary, of another size, far beyond every bound, constant, next to the smallest and largest numbers. */
const TARGETS = ["ordinary", "small", "far", "far", "constant", "tiny", "huge"] as const;

/** Next to the ends of what a number can be. */
const ENDS = { tiny: [5e-324, 1e-310, 1e-160], huge: [1e153, 1e154, 1e200, 1e308] };

type Row = Float64Array;

/** One task's rows [n, d], none longer than the bound unless it is open, and targets [n]. */
function drawTask(random: Random, n: number, d: number, { bound, levels, open }: Limits) {
  const drawn = pick(random, ROWS);
  const kind = drawn === "huge" && !open ? "bound" : drawn;
  const targets = pick(random, TARGETS);
  const [axis, level] = [Math.floor(random() * d), Math.floor(random() * levels)];
  const [end, far] = [pick(random, ENDS[kind === "tiny" ? "tiny" : "huge"]), pick(random, ENDS[targets === "tiny" ? "tiny" : "huge"])]; // prettier-ignore
  const other = Math.floor(random() * n);
  const direction = directionOf(random, d);
  const x = new Float64Array(n * d);
  const y = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    const at = row * d;
    const sign = random() < 0.5 ? -1 : 1;
    const own: Row = x.subarray(at, at + d);
    const within = bound * (1 - 1e-12);
    if (kind === "axis") own[axis] = sign * bound;
    else if (kind === "same" && row > 0) x.copyWithin(at, 0, d);
    else if (kind === "but-one") own.set(row === other ? directionOf(random, d) : direction);
    else if (kind === "line") own.set(direction.map((value) => value * (2 * random() - 1)));
    else if (kind !== "zero") own.set(directionOf(random, d));
    if (kind === "but-one" || kind === "line") own.forEach((value, j) => (own[j] = value * within));
    else if (kind === "tiny" || kind === "huge")
      own.forEach((value, j) => (own[j] = value * sign * end));
    else if (kind !== "axis" && !(kind === "same" && row > 0)) {
      const length = kind === "bound" || random() < 0.5 ? 1 : random();
      own.forEach((value, j) => (own[j] = value * length * within));
    }
    if (kind === "constant") own[axis] = within / 2 / Math.sqrt(d);
    if (kind === "constant" && norm(own) > within) own.fill(within / 2 / Math.sqrt(d));
    if (levels > 0) y[row] = targets === "constant" ? level : Math.floor(random() * levels);
    else if (targets === "constant") y[row] = 1;
    else if (targets === "far") y[row] = kind === "axis" ? sign * 1e6 : 1e6 * normal(random);
    else if (targets === "tiny" || targets === "huge") y[row] = sign * far;
    else y[row] = (targets === "small" ? 1e-3 : 1) * normal(random);
  }
  return { x, y };
}

const norm = (row: Row) => Math.hypot(...row);

/** A vector of norm 1. */
function directionOf(random: Random, d: number): Row {
  const raw = Float64Array.from({ length: d }, () => normal(random));
  const length = norm(raw);
  return raw.map((value) => value / length);
}

/** How the sets are made, beside their shape. */
export interface Limits {
  /** B, no row is longer. */
  readonly bound: number;
  /** Labels, or 0 for numbers. */
  readonly levels: number;
  /** Whether rows may be of any length. */
  readonly open: boolean;
}

/** The task set of a shape. */
export function makeData(
  { rows, d, seed, declared, form = "plain" }: Shape,
  limits: Limits,
): TaskSet {
  const random = seedrandom(`data ${seed}`);
  const parts = rows.map((n) => drawTask(random, n, d, limits));
  // Tasks that are copies of one another.
  const copied = random() < 0.15 ? Math.floor(random() * rows.length) : -1;
  rows.forEach((n, i) => {
    if (copied >= 0 && n === rows[copied]) parts[i] = parts[copied]!;
  });
  const offsets = new Uint32Array(rows.length + 1);
  rows.forEach((n, i) => (offsets[i + 1] = offsets[i]! + n));
  const featureNames = Array.from({ length: d }, (_, j) => `x${j}`);
  const targetLevels = limits.levels > 0 ? ["a", "b", "c"].slice(0, limits.levels) : undefined;
  const scale = { center: 0, halfWidth: 1 };
  const own = form === "own column" ? ["x0"] : [];
  const raw = rawEncoding(featureNames, { levelsDeclared: limits.levels > 0 }, own);
  const encoding = declared
    ? {
        ...raw,
        columns: raw.columns.map((column) => ({ ...column, scale })),
        target: { ...raw.target, scale: limits.levels > 0 ? null : scale },
      }
    : raw;
  const x = Float64Array.from(parts.flatMap((part) => [...part.x]));
  if (own.length > 0) for (let i = 0; i < rows.length; i++) oneValue(x, offsets, i, d);
  return TaskSet.adopt({
    ...rowsAs(form, x, d),
    y: Float64Array.from(parts.flatMap(({ y }) => [...y])),
    ...(form.includes("weighted")
      ? { sampleWeights: drawWeights(random, offsets.at(-1)!, offsets) }
      : {}),
    offsets,
    names: rows.map((_, i) => `t${i}`),
    featureNames,
    targetName: "y",
    ...(targetLevels ? { targetLevels } : {}),
    encoding,
  });
}

/** Column 0 of a task is what its first row has. */
function oneValue(x: Float64Array, offsets: Uint32Array, task: number, d: number): void {
  const [from, to] = [offsets[task]!, offsets[task + 1]!];
  for (let row = from; row < to; row++) {
    x[row * d] = Math.min(Math.abs(x[from * d]!), 1e-3);
  }
}

/** The rows, or of each what is not zero; small entries of sparse rows are left out, so that there is something to leave. */
function rowsAs(form: Form, x: Float64Array, d: number) {
  if (!form.startsWith("sparse")) return { x };
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (let at = 0; at < x.length; at += d) {
    for (let j = 0; j < d; j++) {
      if (x[at + j] === 0 || (at + j) % 3 === 1) continue;
      columns.push(j);
      values.push(x[at + j]!);
    }
    starts.push(columns.length);
  }
  const sparse = { starts: Uint32Array.from(starts), columns: Uint32Array.from(columns), values: Float64Array.from(values) }; // prettier-ignore
  return { sparse };
}

/** Weights of rows: alike, different, many of them zero, or far apart. */
function drawWeights(random: Random, n: number, offsets: Uint32Array): Float64Array {
  const weights = new Float64Array(n);
  for (let i = 0; i + 1 < offsets.length; i++) {
    const kind = pick(random, ["alike", "any", "zero", "apart"] as const);
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      if (kind === "alike") weights[row] = 2;
      else if (kind === "any") weights[row] = random();
      else if (kind === "zero") weights[row] = random() < 0.5 ? 0 : 1;
      else weights[row] = 10 ** Math.round(600 * random() - 300);
    }
    if (!weights.subarray(offsets[i], offsets[i + 1]).some((w) => w > 0)) weights[offsets[i]!] = 1;
  }
  return weights;
}

/** What of a task changes. */
export interface Change {
  /** Position of the task. */
  readonly task: number;
  /** "record": as many of its rows only as one person may have. */
  readonly unit: "task" | "record";
  /** How many those are; default 1. */
  readonly rowsPerPerson?: number | undefined;
  /** Whether a record becomes zero instead of another. */
  readonly zero: boolean;
  readonly seed: number;
}

/** The same set but for one task's rows, or one record; sizes, names and labels are public and stay. */
export function neighbourOf(
  data: TaskSet,
  form: Form | undefined,
  change: Change,
  limits: Limits,
): TaskSet {
  const { task, unit, zero, seed, rowsPerPerson = 1 } = change;
  const { d, offsets, names, featureNames, targetName, targetLevels, encoding } = data;
  const random = seedrandom(`neighbour ${seed}`);
  const [first, size] = [offsets[task]!, offsets[task + 1]! - offsets[task]!];
  const n = unit === "record" ? Math.min(rowsPerPerson, size) : size;
  // A person's rows are neighbours, or as far apart as they may be.
  const apart = seed % 2 === 0 ? 1 : Math.floor(size / n);
  const begin = unit === "record" ? seed % size : 0;
  const other = drawTask(random, n, d, limits);
  const before = denseOf(data);
  const [x, y] = [before.slice(), data.y.slice()];
  for (let k = 0; k < n; k++) {
    const row = first + ((begin + k * (unit === "record" ? apart : 1)) % size);
    x.set(zero ? new Float64Array(d) : other.x.subarray(k * d, (k + 1) * d), row * d);
    y[row] = zero ? 0 : other.y[k]!;
    // What a task's other rows say of such a column is not hidden of a record.
    if (form === "own column" && unit === "record") x[row * d] = before[row * d]!;
  }
  if (form === "own column" && unit === "task") oneValue(x, offsets, task, d);
  const sampleWeights = data.sampleWeights?.slice();
  if (sampleWeights && unit === "task")
    sampleWeights.set(drawWeights(random, n, Uint32Array.of(0, n)), first);
  const levels = targetLevels ? { targetLevels } : {};
  return TaskSet.adopt({
    ...rowsAs(form ?? "plain", x, d),
    y,
    offsets,
    names,
    featureNames,
    targetName,
    encoding,
    sampleWeights,
    ...levels,
  });
}

function denseOf(data: TaskSet): Float64Array {
  const { sparse, size, d } = data;
  if (!sparse) return data.x.slice();
  const x = new Float64Array(size * d);
  for (let row = 0; row < size; row++)
    for (let k = sparse.starts[row]!; k < sparse.starts[row + 1]!; k++)
      x[row * d + sparse.columns[k]!] = sparse.values[k]!;
  return x;
}
