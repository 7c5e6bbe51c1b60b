/**
 * Random tables whose rows have a few entries, the same on every host.
 * @module
 */
import { TaskSet } from "../../../src/data/index.js";

/** Uniform on [0, 1), the same each time. */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

export interface Shape {
  readonly m: number;
  readonly d: number;
  readonly rows: (task: number) => number;
  /** Entries of a row. */
  readonly entries: number;
  readonly labels?: boolean;
  readonly weights?: boolean;
}

/** Tasks by the entries of their rows. */
export function table({ m, d, rows, entries, labels = false, weights = false }: Shape) {
  const uniform = uniforms(7);
  return Array.from({ length: m }, (_, i) => {
    const n = rows(i);
    const indices = Array.from({ length: n }, () => {
      const own = new Set<number>();
      while (own.size < entries) own.add(Math.floor(d * uniform()));
      return [...own].sort((a, b) => a - b);
    });
    const values = indices.map((row) => row.map(() => uniform() - 0.3));
    return {
      name: `task-${i}`,
      indices,
      values,
      // Noise larger than what the rows say, so that no labels are told apart without an error.
      y: values.map((row) => {
        const target = row.reduce((sum, value) => sum + value, i / m) + 2 * (uniform() - 0.5);
        return labels ? Number(target > 0.5) : target;
      }),
      ...(weights ? { weights: indices.map(() => 1 + Math.floor(3 * uniform())) } : {}),
    };
  });
}

export type Table = ReturnType<typeof table>;

/** The same as sparse rows, and as dense ones. */
export const sparse = (tasks: Table, d: number) =>
  TaskSet.from(
    tasks.map(({ indices, values, ...rest }) => {
      const indptr = [0];
      indices.forEach((row) => indptr.push(indptr.at(-1)! + row.length));
      const shape = [indices.length, d] as const;
      return { ...rest, x: { indptr, indices: indices.flat(), values: values.flat(), shape } };
    }),
  );

export const dense = (tasks: Table, d: number) =>
  TaskSet.from(
    tasks.map(({ indices, values, ...rest }) => ({
      ...rest,
      x: indices.map((row, j) => {
        const out = new Array<number>(d).fill(0);
        row.forEach((column, k) => (out[column] = values[j]![k]!));
        return out;
      }),
    })),
  );
