import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openLedgerFolder } from "../../../src/node/records/ledger-folder.js";
import { DurableLedger } from "../../../src/privacy/ledger/durable-ledger.js";
import { pureEvent } from "../../../src/privacy/events/events.js";
import { BudgetExceededError } from "../../../src/privacy/ledger/ledger.js";
import { isBuilt, runScript } from "../../node/built.js";
import { temporaryFolder } from "../../temporary.js";

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

  test("what no log begins with, or goes on with, is refused by its line", () => {
    const { log, ledger } = logOf(2);
    const charged = `${JSON.stringify(ledger)}\n`;
    for (const [text, words] of [
      ["", "expected its first line, found none"],
      ["no line ends", "expected its first line, found none"],
      [charged, "line 1 should hold no charges"],
      [`${log}null\n`, "line 4 should be charge 3"],
      [`${log}7\n`, "line 4 should be charge 3"],
      [`${log}{"number":3}\n`, "ledger log line 4"],
    ] as const)
      expect(() => DurableLedger.recover(text, () => undefined), text).toThrow(words);
  });

  test("once recovered, charges are written again, each with the next number", () => {
    const lines: string[] = [];
    const { ledger } = DurableLedger.recover(logOf(2).log, (line) => lines.push(line));
    expect(lines).toEqual([]);
    ledger.charge(event, { round: 9 });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { number: 3, round: 9 },
    ]);
  });
});

describe("the folder", () => {
  test("is taken up where it stopped", () => {
    const folder = join(temporaryFolder(), "budget");
    const first = openLedgerFolder(folder, options);
    first.ledger.charge(event, { round: 1 });
    first.close();
    const second = openLedgerFolder(folder, options);
    expect(second.ledger.entries).toHaveLength(1);
    second.ledger.charge(event, { round: 2, label: "again" });
    second.close();
    const third = openLedgerFolder(folder, options);
    expect(third.ledger.entries.map(({ round }) => round)).toEqual([1, 2]);
    third.close();
  });

  test("refuses another budget, and a second process", () => {
    const folder = join(temporaryFolder(), "budget");
    const first = openLedgerFolder(folder, options);
    expect(() => openLedgerFolder(folder, options)).toThrow("has this ledger open");
    first.close();
    expect(() => openLedgerFolder(folder, { ...options, epsilon: 2 })).toThrow(
      "this ledger has epsilon 1, asked for 2",
    );
    openLedgerFolder(folder, options).close();
  });

  test.each([
    [{ delta: 1e-6 }, "this ledger has delta 0, asked for 0.000001"],
    [{ adjacency: "zero-out" }, "this ledger has adjacency replace, asked for zero-out"],
    [{ plan: [event] }, "another plan"],
    [{ noiseSource: "secure" }, "does not say where its noise came from"],
  ] as const)("refuses what it was not begun for: %o", (other, words) => {
    const folder = join(temporaryFolder(), "budget");
    openLedgerFolder(folder, options).close();
    expect(() => openLedgerFolder(folder, { ...options, ...other })).toThrow(words);
    openLedgerFolder(folder, options).close();
  });

  test("of seeded noise is not gone on with by secure noise, nor the other way", () => {
    for (const [begun, then] of [
      ["seeded", "secure"],
      ["secure", "seeded"],
    ] as const) {
      // prettier-ignore
      const folder = join(temporaryFolder(), "budget");
      openLedgerFolder(folder, { ...options, noiseSource: begun }).close();
      const again = () => openLedgerFolder(folder, { ...options, noiseSource: then });
      expect(again).toThrow(`this ledger is of ${begun} noise, this run of ${then} noise`);
    }
  });

  test.each(["", "budget", JSON.stringify(DurableLedger.create(options, () => undefined))])(
    "refuses a file (%j), and does not erase it",
    (text) => {
      const path = join(temporaryFolder(), "budget.json");
      writeFileSync(path, text);
      expect(() => openLedgerFolder(path, options)).toThrow("this is a file, expected a folder");
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );

  test.skipIf(!isBuilt)("survives a kill at any instant: what was drawn is on record", async () => {
    // The child charges, then "draws" by writing one byte to its output, as fast as it can.
    const charging = `
      const { ledger } = mpmtl.openLedgerFolder(args[0], ${JSON.stringify(options)});
      for (let round = 1; ; round++) {
        ledger.charge(${JSON.stringify(pureEvent({ epsilon: 1e-7 }))}, { round });
        writeSync(1, ".");
      }`;
    for (const delay of [1, 10, 30]) {
      const folder = join(temporaryFolder(), "budget");
      const child = runScript(charging, folder);
      await child.begun;
      await new Promise((resolve) => setTimeout(resolve, delay));
      child.process.kill("SIGKILL");
      const { out } = await child.ended;
      const { ledger, close } = openLedgerFolder(folder, options);
      expect(ledger.entries.length).toBeGreaterThanOrEqual(out.length);
      close();
    }
  });
});
