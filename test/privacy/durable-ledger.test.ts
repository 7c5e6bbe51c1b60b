import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openLedgerFile } from "../../src/node/ledger-file.js";
import { DurableLedger } from "../../src/privacy/durable-ledger.js";
import { pureEvent } from "../../src/privacy/events.js";
import { BudgetExceededError } from "../../src/privacy/ledger.js";

const options = { epsilon: 1, delta: 0, adjacency: "replace" } as const;
const event = pureEvent({ epsilon: 0.01 });

/** A log of n charges in memory. */
function logOf(n: number): { log: string; ledger: DurableLedger } {
  const lines: string[] = [];
  const ledger = DurableLedger.create(options, (line) => lines.push(line));
  for (let round = 1; round <= n; round++) ledger.charge(event, { round });
  return { log: lines.join(""), ledger };
}

describe("the log", () => {
  test("cut anywhere, it never reports less than the lines that were completed", () => {
    const { log } = logOf(6);
    const header = log.indexOf("\n") + 1;
    fc.assert(
      fc.property(fc.integer({ min: header, max: log.length }), (cut) => {
        const text = log.slice(0, cut);
        const complete = text.split("\n").length - 2;
        const { ledger, length } = DurableLedger.recover(text, () => undefined);
        expect(ledger.entries).toHaveLength(complete);
        expect(text.slice(0, length).endsWith("\n")).toBe(true);
        expect(ledger.spent().epsilon).toBeCloseTo(0.01 * complete, 12);
      }),
    );
  });

  test("a charge is written before it counts, and a failed write stops everything", () => {
    let fail = false;
    const ledger = DurableLedger.create(options, () => {
      if (fail) throw new Error("disk full");
    });
    ledger.charge(event, { round: 1 });
    fail = true;
    expect(() => ledger.charge(event, { round: 2 })).toThrow("disk full");
    fail = false;
    expect(ledger.entries).toHaveLength(1);
    expect(() => ledger.charge(event, { round: 2 })).toThrow("could not be written");
  });

  test("a refused charge writes nothing", () => {
    const lines: string[] = [];
    const ledger = DurableLedger.create(options, (line) => lines.push(line));
    expect(() => ledger.charge(pureEvent({ epsilon: 2 }), { round: 1 })).toThrow(
      BudgetExceededError,
    );
    expect(lines).toHaveLength(1);
  });

  test("damage before the last line is refused, not skipped", () => {
    const lines = logOf(3).log.split("\n");
    const without = [...lines.slice(0, 2), ...lines.slice(3)].join("\n");
    expect(() => DurableLedger.recover(without, () => undefined)).toThrow(
      "line 3 should be charge 2",
    );
    const broken = lines.map((line, i) => (i === 1 ? line.slice(3) : line)).join("\n");
    expect(() => DurableLedger.recover(broken, () => undefined)).toThrow("line 2 is damaged");
  });
});

describe("the file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "mp-mtl-ledger-"));
    path = join(folder, "budget.jsonl");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("is taken up where it stopped, a torn line being cut off", () => {
    const first = openLedgerFile(path, options);
    first.ledger.charge(event, { round: 1 });
    first.close();
    appendFileSync(path, '{"number":2,"rou');
    const second = openLedgerFile(path, options);
    expect(second.ledger.entries).toHaveLength(1);
    second.ledger.charge(event, { round: 2, label: "again" });
    second.close();
    const third = openLedgerFile(path, options);
    expect(third.ledger.entries.map(({ round }) => round)).toEqual([1, 2]);
    third.close();
  });

  test("refuses another budget, and a second process", () => {
    const first = openLedgerFile(path, options);
    expect(() => openLedgerFile(path, options)).toThrow("has this ledger open");
    first.close();
    expect(() => openLedgerFile(path, { ...options, epsilon: 2 })).toThrow(
      "this ledger has epsilon 1, asked for 2",
    );
    // A lock left by a dead process is taken over.
    writeFileSync(`${path}.lock`, "999999999");
    openLedgerFile(path, options).close();
  });

  // The child is another process, so it runs the built package, which `npm test` makes first.
  const built = new URL("../../dist/node/index.js", import.meta.url);
  test.skipIf(!existsSync(built))(
    "survives a kill at any instant: what was drawn is on record",
    async () => {
      // The child charges, then "draws" by writing one byte to its output, as fast as it can.
      const script = `
      import { writeSync } from "node:fs";
      import { openLedgerFile } from ${JSON.stringify(built.href)};
      const { ledger } = openLedgerFile(process.argv[1], ${JSON.stringify(options)});
      for (let round = 1; ; round++) {
        ledger.charge(${JSON.stringify(pureEvent({ epsilon: 1e-7 }))}, { round });
        writeSync(1, ".");
      }`;
      for (const delay of [1, 10, 30]) {
        rmSync(path, { force: true });
        const child = spawn(process.execPath, ["--input-type=module", "-e", script, path]);
        let drawn = 0;
        const started = new Promise((resolve) =>
          child.stdout.on("data", (chunk: Buffer) => resolve((drawn += chunk.length))),
        );
        const ended = new Promise((resolve) => child.on("close", resolve));
        await started;
        await new Promise((resolve) => setTimeout(resolve, delay));
        child.kill("SIGKILL");
        await ended;
        const { ledger, close } = openLedgerFile(path, options);
        expect(ledger.entries.length).toBeGreaterThanOrEqual(drawn);
        close();
        expect(readFileSync(path, "utf8").endsWith("\n")).toBe(true);
      }
    },
  );
});
