/** Parquet files read whole in a thread of their own give what the reader gives in this one. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTable } from "../../../src/data/index.js";
import type * as nodeEntry from "../../../src/node/index.js";
import { parquetFiles } from "../../data/read/read-fixtures.js";
import { temporaryFolder } from "../../temporary.js";
import { builtEntry, isBuilt } from "../built.js";

describe.skipIf(!isBuilt)("a file of Parquet (skipped where dist/ is not built)", () => {
  const folder = temporaryFolder();

  test.each(Object.entries(parquetFiles))("%s", async (kind, base64) => {
    const { readTable: readFile } = (await import(
      /* @vite-ignore */ builtEntry
    )) as typeof nodeEntry;
    const bytes = new Uint8Array(Buffer.from(base64, "base64"));
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${kind}.parquet`);
    writeFileSync(path, bytes);
    const outcome = (reading: ReturnType<typeof readFile>) =>
      reading.then(
        ({ columns }) => columns,
        (error: unknown) => (error as Error).message,
      );
    const here = await outcome(readTable(bytes.slice(), { name: `${kind}.parquet` }));
    expect(await outcome(readFile(path))).toEqual(here);
    // The one that is nested is refused by name, every other is read.
    expect(typeof here === "string" ? here : here.length).not.toBe(0);
    if (typeof here === "string") expect(here).toContain("column");
  });
});
