/** `join --stream`: what a plan asks for is held to the first rows, reading can be ended, and the file is the one that there is when it is read. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pieceReader } from "../../../src/cli/participant/task-reader.js";
import { main } from "../../../src/cli/run.js";
import { csvTables, type TableStream } from "../../../src/data/index.js";
import { makePlan, type Plan } from "../../../src/federation/index.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const ROWS = 120_000;
const text = (head: string, row: (i: number) => readonly number[]) =>
  [head, ...Array.from({ length: ROWS }, (_, i) => row(i).join(","))].join("\n");
const rows = text("u,v,y", (i) => [Math.sin(i), Math.cos(i), Math.sin(2 * i)]);

const planned = { run: "r", features: ["u", "v"] };
const mixed = { method: "mp-mixed", options: { epsilon: 1, delta: 1e-5, scale: "unit" } };
const serves = makePlan({ ...planned, ...mixed });
const flags = { task: undefined, target: "y", missing: "refuse" } as never;

/** Tables, and how many of them were asked for. */
function counted(of: () => string) {
  const read = { opened: 0, tables: 0 };
  const open = (): TableStream => {
    read.opened++;
    const tables = csvTables(of());
    return {
      async *[Symbol.asyncIterator]() {
        for await (const table of tables) {
          read.tables++;
          yield table;
        }
      },
    };
  };
  return { read, open };
}

describe("a participant's rows in pieces", () => {
  const silent = { onRead: () => undefined };
  const refused: [what: string, plan: Plan, why: string][] = [
    [
      "hides single records",
      makePlan({
        ...planned,
        ...mixed,

        options: { ...mixed.options, unit: "record" },
      }),
      "takes no moments of rows",
    ],
    [
      "learns sizes",
      makePlan({ ...planned, method: "mp-mixed", minimumTasks: 200, options: { epsilon: 1 } }),
      "nobody declared how large",
    ],
    [
      "has another method",
      makePlan({ ...planned, method: "pmtl", options: {} }),
      "pmtl takes no moments of rows",
    ],
  ];

  test.each(refused)("are not read for a plan that %s", async (_, plan, why) => {
    const { read, open } = counted(() => rows);
    const reader = await pieceReader(open, flags, "p", silent);
    let suits = false;
    await expect(reader.read(plan, { onSuits: () => (suits = true) })).rejects.toThrow(why);
    // The first piece before there is a plan, and again with it.
    expect([read.tables, suits]).toEqual([2, false]);
  });

  test("are those that there are when the plan is known", async () => {
    let now = rows;
    const reader = await pieceReader(() => csvTables(now), flags, "p", silent);
    now = text("y,w,v,u", (i) => [i % 3, 7, 0.5, i % 2]);
    const { featureNames, x } = await reader.read(serves);
    expect(featureNames).toEqual(["u", "v"]);
    expect([x[1], x[3]]).toEqual([0.5, 0.5].map((value) => expect.closeTo(value, 9)));
  });

  test("are read no further once the run is over", async () => {
    const { read, open } = counted(() => rows);
    const reader = await pieceReader(open, flags, "p", silent);
    const stop = new AbortController();
    const over = new Error("over");
    const reading = reader.read(serves, {
      signal: stop.signal,
      // The plan is shown before the minutes that reading may take.
      onSuits: () => stop.abort(over),
    });
    await expect(reading).rejects.toBe(over);
    expect(read.tables).toBeLessThan(4);
  });

  test.skipIf(process.platform === "win32")("come from no pipe, which opens once", async () => {
    const pipe = join(temporaryFolder(), "rows.csv");
    execFileSync("mkfifo", [pipe]);
    const io = testIo();
    const server = ["--nats", "nats://127.0.0.1:1"];
    const code = await main(["join", ...server, "--data", pipe, "--stream", "yes"], io);
    expect([code, io.err()]).toEqual([3, expect.stringContaining("a pipe or a device")]);
  });
});
