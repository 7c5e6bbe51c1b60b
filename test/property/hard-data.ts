/**
 * Small task sets on which arithmetic is hard: columns that are constant, the same, collinear or of any unit within the limits, tasks of one
 * row, of one class, of rows that are all alike.
 * @module
 */
import fc from "fast-check";
import seedrandom from "seedrandom";
import { TaskSet } from "../../src/data/index.js";

const COLUMNS = ["any", "any", "constant", "zero", "copy", "collinear", "offset", "rare"] as const;
const UNITS = [1, 1, 1, 1e-3, 1e3, 1e8, 1e-8, 1e60, 1e-60, 1e-155, 5e-324];
const TARGETS = ["any", "constant", "exact", "alike", "far"] as const;

/** What a set is made from; it prints as JSON. */
export const hardShapes = fc.record({
  rows: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
  columns: fc.array(fc.record({ kind: fc.constantFrom(...COLUMNS), unit: fc.constantFrom(...UNITS) }), { minLength: 1, maxLength: 4 }), // prettier-ignore
  target: fc.record({ kind: fc.constantFrom(...TARGETS), unit: fc.constantFrom(...UNITS) }),
  isSparse: fc.boolean(),
  seed: fc.nat(1e6),
});

export type HardShape = typeof hardShapes extends fc.Arbitrary<infer T> ? T : never;

/** The set, with targets for the loss. */
export function hardData(shape: HardShape, loss: string): TaskSet {
  const random = seedrandom(`hard ${shape.seed}`);
  const next = () => 2 * random() - 1;
  return TaskSet.from(
    shape.rows.map((n, i) => {
      const x = Array.from({ length: n }, (_, row) => rowOf(shape, next, row));
      const y = x.map((own, row) => targetOf(shape, loss, { own, row, i, next }));
      return { name: `t${i}`, x: shape.isSparse ? sparse(x) : x, y } as never;
    }),
  );
}

function rowOf({ columns }: HardShape, next: () => number, row: number): number[] {
  const own: number[] = [];
  columns.forEach(({ kind, unit }, j) => {
    const before = own[j - 1] ?? unit * next();
    if (kind === "constant") own.push(unit);
    else if (kind === "zero") own.push(0);
    else if (kind === "copy") own.push(before);
    else if (kind === "collinear") own.push((before + (own[j - 2] ?? 0)) / 2);
    else if (kind === "offset") own.push(unit * (1 + 1e-8 * next()));
    else if (kind === "rare") own.push(row === 1 ? unit : 0);
    else own.push(unit * next());
  });
  return own;
}

interface Place {
  readonly own: readonly number[];
  readonly row: number;
  readonly i: number;
  readonly next: () => number;
}

function targetOf({ target }: HardShape, loss: string, { own, row, i, next }: Place) {
  const { kind, unit } = target;
  if (loss !== "squared") {
    // Task 0 and the last have all classes, if they have rows enough; others perhaps one.
    const classes = loss === "logistic" ? ["no", "yes"] : ["a", "b", "c"];
    const at = kind === "alike" && i > 0 ? i : kind === "exact" ? (own[0]! > 0 ? 1 : 0) : row;
    return classes[at % classes.length]!;
  }
  if (kind === "constant" || kind === "alike") return unit * (kind === "alike" ? i : 1);
  if (kind === "exact") return Math.max(-1e60, Math.min(own[0]!, 1e60));
  return unit * next() * (kind === "far" && row === 0 && unit < 1e50 ? 1e6 : 1);
}

function sparse(x: readonly (readonly number[])[]) {
  const [indptr, indices, values]: [number[], number[], number[]] = [[0], [], []];
  for (const row of x) {
    row.forEach((value, j) => {
      if (value === 0) return;
      indices.push(j);
      values.push(value);
    });
    indptr.push(values.length);
  }
  return { indptr, indices, values, shape: [x.length, x[0]!.length] as const };
}
