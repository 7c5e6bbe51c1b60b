/**
 * A journal of a program's own, as a page may keep one in its storage, is that of one fit: what it has was released for other noise than
 * another fit would state.
 */
import { describe, expect, test } from "vitest";
import {
  MpLowRank,
  Pmtl,
  type PmtlOptions,
  type ReleaseJournal,
} from "../../../src/learning/index.js";
import { Ledger } from "../../../src/privacy/index.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 6, d: 3, rows: () => 20 });

/** A journal as anybody would write it, which compares nothing. */
function storage() {
  const kept = new Map<number, Float64Array>();
  let text: string | undefined;
  return (): ReleaseJournal => {
    let ledger: Ledger;
    return {
      openLedger: (options) =>
        (ledger = text === undefined ? new Ledger(options) : Ledger.fromJSON(JSON.parse(text))),
      read: (release) => kept.get(release),
      write: (release, statistic) => {
        kept.set(release, statistic);
        text = JSON.stringify(ledger);
      },
    };
  };
}

const fit = (options: Partial<PmtlOptions>, journal: ReleaseJournal) =>
  new Pmtl({ unit: "record", rounds: 3, delta: 1e-5, ...options }).fit(tasks, { journal });

describe("a fit whose journal has releases of another fit", () => {
  test("is as it was where it is the same one", async () => {
    const journal = storage();
    const { weights } = await fit({}, journal());
    expect((await fit({}, journal())).weights).toEqual(weights);
  });

  test.each<[string, Partial<PmtlOptions>, RegExp]>([
    ["hides tasks", { unit: "both" }, /this ledger has unit record, asked for task/],
    ["hides persons", { rowsPerPerson: 4 }, /this ledger has unit record, asked for person/],
    [
      "has another relation",
      { adjacency: "zero-out" },
      /has adjacency replace, asked for zero-out/,
    ],
    ["has less to spend", { epsilon: 0.5 }, /has epsilon 1, asked for 0.5/],
    ["has shorter gradients", { recordClip: 1e-3 }, /is for another plan of releases/],
    ["has other rounds", { rounds: 4 }, /is for another plan of releases/],
  ])("is refused where it %s", async (_, options, said) => {
    const journal = storage();
    await fit({}, journal());
    await expect(fit(options, journal())).rejects.toThrow(said);
  });

  test("is refused where that one's charges were nominal", async () => {
    const options = { rounds: 2, clip: 1, mechanism: "wishart", noise: "float" } as const;
    const nominal: ReleaseJournal = {
      openLedger: (asked) => new Ledger({ ...asked, nominal: false, plan: [] }),
      read: () => undefined,
      write: () => undefined,
    };
    await expect(new MpLowRank(options).fit(tasks, { journal: nominal })).rejects.toThrow(
      "this ledger has nominal false, asked for true",
    );
  });
});
