/** The threads of an evaluation: cells first; where these are few, the fits of their cross-validation too. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Cell, CellResult } from "../../../../src/cli/evaluation/cells/cell.js";
import { runCell } from "../../../../src/cli/evaluation/cells/run-cell.js";
import { runCells } from "../../../../src/cli/evaluation/cells/run-cells.js";
import type { CellJob } from "../../../../src/cli/evaluation/cells/worker.js";
import { TaskSet } from "../../../../src/data/index.js";
import { taskArrays } from "../../../../src/model/index.js";
import { makeTasks } from "../../../learning/tasks.js";
import { channelPool } from "../../../model/channel-pool.js";

/** Pools that were opened for the fits of a cell, and jobs that were given to threads of cells. */
const seen = vi.hoisted(() => ({ pools: [] as unknown[], cells: [] as unknown[], atOnce: 0 }));
vi.mock("../../../../src/node/index.js", async (original) => ({
  ...(await original<object>()),
  openFitPool: (size: number) => {
    const { pool, count } = channelPool(size);
    seen.pools.push(count);
    return pool;
  },
  openThreadPool: (_: URL, size: number) => {
    seen.atOnce = size;
    return {
      run: ({ cell, ...rest }: CellJob) => {
        seen.cells.push(rest);
        return Promise.resolve({ replicate: cell.replicate });
      },
      close: () => undefined,
    };
  },
}));
beforeEach(() => void Object.assign(seen, { pools: [], cells: [], atOnce: 0 }));

const candidates = [{ lambda: 3 }, { lambda: 0.3 }];
const cell: Cell = {
  method: "mp-group-sparse",
  epsilon: 1,
  replicate: 0,
  seed: "c",
  normalize: "rows",
  data: { kind: "simulation", options: { pattern: "group-sparse", tasks: 6, features: 4 } },
  options: { clip: 20, rounds: 3 },
  tuning: { kind: "cv", candidates, folds: 3, oneStandardError: false },
};

describe("a cell", () => {
  test("has the same result on any number of threads, and ends them", async () => {
    const alone = await runCell(cell);
    expect(seen.pools).toEqual([]);
    expect(await runCell(cell, 2)).toEqual(alone);
    expect(seen.pools).toMatchObject([{ started: 2, ended: 2, jobs: 6 }]);
  });

  test("ends them where a fit fails, too", async () => {
    const long = [...makeTasks({ m: 4, d: 3, rows: () => 9 })].map(({ name, x, y }) => ({
      name,
      x: x.map((value) => 9 * value),
      y,
    }));
    const tasks = taskArrays(TaskSet.from(long));
    const failing: Cell = {
      ...cell,
      normalize: "none",
      data: { kind: "table", tasks, trainFraction: 0.7 },
    };
    await expect(runCell(failing, 2)).rejects.toThrow(/^mp-group-sparse at eps 1, .*norm/);
    const [{ started, ended, jobs }] = seen.pools as [Record<string, number>];
    expect(jobs).toBeGreaterThan(0);
    expect(ended).toBe(started);
  });

  test("starts none where there is nothing to choose", async () => {
    await runCell({ ...cell, tuning: { kind: "none" } }, 2);
    expect(seen.pools).toEqual([]);
  });
});

test.each([
  [1, 2, 1, 2],
  [2, 7, 2, 3],
  [3, 2, 2, 1],
  [3, 3, 3, 1],
])("%i cells on %i threads: %i at once, each on %i", async (count, workers, atOnce, threads) => {
  const cells = Array.from({ length: count }, (_, replicate) => ({ ...cell, replicate }));
  const written: CellResult[] = [];
  const file = {
    has: () => false,
    append: (result: CellResult) => {
      written.push(result);
      return Promise.resolve();
    },
  };
  const { signal } = new AbortController();
  const progress = { update: () => undefined };
  await runCells(cells, file, { signal, progress, workers });
  expect(seen.atOnce).toBe(atOnce);
  expect(seen.cells).toEqual(cells.map(() => ({ threads })));
  expect(written).toHaveLength(count);
});
