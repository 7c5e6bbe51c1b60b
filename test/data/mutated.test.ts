/**
 * Damaged files of every kind: each is read or refused by a DataError, and no message holds a value. A few here;
 * `MP_MTL_MUTATIONS=10000 npx vitest run test/data/mutated.test.ts` (`npm run test:mutations`) runs the whole corpus.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { DataError } from "../../src/core/errors.js";
import { readTable } from "../../src/data/index.js";
import { MpLowRank } from "../../src/learning/index.js";
import { loadModel, saveModel } from "../../src/model/index.js";
import type * as nodeEntry from "../../src/node/index.js";
import { makeTasks } from "../learning/tasks.js";
import { builtEntry, isBuilt } from "../node/built.js";
import { temporaryFolder } from "../temporary.js";
import { npyFiles, parquetFiles } from "./read-fixtures.js";

const COUNT = Number(process.env["MP_MTL_MUTATIONS"] ?? 150);
const decode = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));
const MARK = "31337.25";

/** A stream of numbers that is the same everywhere (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Flips bits, sets bytes, cuts either end, leaves out, doubles or exchanges a stretch. */
function mutate(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  let changed = Uint8Array.from(bytes);
  for (let times = 1 + next(3); times > 0; times--) {
    const { length } = changed;
    if (length < 2) return changed;
    const [a, b] = [next(length), next(length)].sort((x, y) => x - y) as [number, number];
    const kind = next(7);
    if (kind === 0) changed[a]! ^= 1 << next(8);
    else if (kind === 1) changed[a] = [0, 1, 0x7f, 0x80, 0xff][next(5)]!;
    else if (kind === 2) changed = changed.slice(0, a);
    else if (kind === 3) changed = changed.slice(Math.min(a, 64));
    else if (kind === 4) changed = Uint8Array.of(...changed.slice(0, a), ...changed.slice(b));
    else if (kind === 5) changed.copyWithin(a, b);
    else for (let i = 0; i < 4; i++) changed[Math.min(length - 1, a + i)] = next(256);
  }
  return changed;
}

const text = `task,x,y\n${Array.from({ length: 30 }, (_, i) => `t${i % 3},${MARK},"${i}"`).join("\n")}\n`;

async function checkAll(
  file: Uint8Array,
  read: (bytes: Uint8Array, i: number) => unknown,
  count = COUNT,
): Promise<void> {
  const next = numbersFrom(file.length);
  for (let i = 0; i < count; i++) {
    const changed = mutate(file, next);
    try {
      await read(changed, i);
    } catch (error) {
      const refused = error as Error & { code?: string };
      const what = `mutation ${i}: ${refused.stack}`;
      expect(error instanceof DataError || refused.code === "DATA", what).toBe(true);
      expect(refused.message, what).not.toContain(MARK);
    }
  }
}

describe("damaged files", () => {
  test("CSV", () =>
    checkAll(new TextEncoder().encode(text), (bytes) => readTable(bytes, { name: "t.csv" })));

  test("CSV in gzip", () =>
    checkAll(gzipSync(text), (bytes) => readTable(bytes, { name: "t.csv.gz" })));

  test.each(Object.entries(npyFiles))("NPY: %s", (_, base64) =>
    checkAll(decode(base64), (bytes) => readTable(bytes, { name: "t.npy" }), Math.ceil(COUNT / 4)),
  );

  test("models", async () => {
    const random = { mode: "seeded", seed: "mutated" } as const;
    const tasks = makeTasks({ m: 3, d: 2, rows: () => 5 });
    const model = await new MpLowRank({ rounds: 2, clip: 2, random }).fit(tasks);
    await checkAll(saveModel(model), (bytes) => loadModel(bytes));
  });

  // In a thread with limits, which needs the built package.
  describe.skipIf(!isBuilt)("Parquet", () => {
    let read: typeof nodeEntry.readTable;
    const folder = temporaryFolder();
    beforeAll(async () => {
      ({ readTable: read } = (await import(/* @vite-ignore */ builtEntry)) as typeof nodeEntry);
    });
    test.each(Object.entries(parquetFiles))("%s", (name, base64) =>
      checkAll(
        decode(base64),
        (bytes) => {
          const path = join(folder, `${name}.parquet`);
          writeFileSync(path, bytes);
          return read(path);
        },
        Math.ceil(COUNT / 20),
      ),
    );
  });
});
