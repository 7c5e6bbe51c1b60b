/** Standard input and pipes in the place of a table. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { readTable, readTables } from "../../../src/node/index.js";
import { testIo } from "../../cli/io.js";
import { temporaryFolder } from "../../temporary.js";

const WHAT_TO_DO =
  /is standard input, a pipe or a device: tables are read from files.*\(cat > rows\.csv\)/;

test.skipIf(process.platform === "win32")(
  "a pipe is refused before it is opened, with what to do",
  async () => {
    const pipe = join(temporaryFolder(), "rows");
    execFileSync("mkfifo", [pipe]);
    for (const path of ["/dev/stdin", "/dev/fd/63", "-", pipe]) {
      await expect(readTable(path)).rejects.toThrow(WHAT_TO_DO);
      expect(() => readTables(path)).toThrow(WHAT_TO_DO);
    }
    const io = testIo();
    expect(await main(["inspect", "--data", "/dev/stdin"], io)).not.toBe(0);
    expect(io.err()).toMatch(WHAT_TO_DO);
  },
);

test("a file without an ending, and none at all, are told as before", async () => {
  await expect(readTable(temporaryFolder())).rejects.toThrow("this is a directory");
  await expect(readTable(join(temporaryFolder(), "rows"))).rejects.toThrow("no such file");
});
