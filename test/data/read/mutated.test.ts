/**
 * Damaged files of every kind: each is read or refused by a DataError, and no message holds a value. A few here;
 * `MP_MTL_MUTATIONS=10000 npx vitest run test/data/read/mutated.test.ts` (`npm run test:mutations`) runs the whole corpus.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { DataError } from "../../../src/core/errors.js";
import { leafTasks, parseLeaf, readTable } from "../../../src/data/index.js";
import { MpLowRank } from "../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../src/model/index.js";
import type * as nodeEntry from "../../../src/node/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { builtEntry, isBuilt } from "../../node/built.js";
import { temporaryFolder } from "../../temporary.js";
import { mutate, numbersFrom } from "./mutations.js";
import { npyFiles, parquetFiles } from "./read-fixtures.js";
import { thorough } from "../../thorough.js";

const COUNT = Number(process.env["MP_MTL_MUTATIONS"] ?? (thorough ? 50 : 12));
const decode = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));
const MARK = "31337.25";

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

  const rows = Array.from({ length: 30 }, (_, i) => `${i} qid:${i % 3} ${i + 1}:${MARK} 99:1`);
  const sparse = `${rows.join("\n")}\n`;

  test("SVMlight's form", () =>
    checkAll(new TextEncoder().encode(sparse), (bytes) => readTable(bytes, { name: "t.svm" })));

  test("SVMlight's form in gzip", () =>
    checkAll(gzipSync(sparse), (bytes) => readTable(bytes, { name: "t.svm.gz" })));

  test.each(Object.entries(npyFiles))("NPY: %s", (_, base64) =>
    checkAll(decode(base64), (bytes) => readTable(bytes, { name: "t.npy" }), Math.ceil(COUNT / 4)),
  );

  test("LEAF", () => {
    const users = ["u1", "u2", "u3"];
    const row = { x: [[0.5, Number(MARK)], [1, 2], [3, 4]], y: [0, 1, 1] }; // prettier-ignore
    const document = {
      users,
      num_samples: [3, 3, 3],
      user_data: Object.fromEntries(users.map((user) => [user, row])),
    };
    return checkAll(new TextEncoder().encode(JSON.stringify(document)), (bytes) =>
      leafTasks(parseLeaf(new TextDecoder().decode(bytes))),
    );
  });

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
        Math.ceil(COUNT / Object.keys(parquetFiles).length),
      ),
    );
  });
});
