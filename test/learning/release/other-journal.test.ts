/**
 * A journal of a program's own, as a page may keep one in its storage, is that of one fit: what it has was released for other noise than
 * another fit would state.
 */
import { describe, expect, test } from "vitest";
import {
  makeEstimator,
  MpLowRank,
  Pmtl,
  type PmtlOptions,
  type ReleaseJournal,
} from "../../../src/learning/index.js";
import { openJournal } from "../../../src/node/index.js";
import { Ledger, type StoredLedger } from "../../../src/privacy/index.js";
import { temporaryFolder } from "../../temporary.js";
import { makeTasks } from "../tasks.js";

const tasks = makeTasks({ m: 6, d: 3, rows: () => 20 });

/** A journal as anybody would write it, which compares nothing. @param alter what is done to the ledger on its way into the storage. */
function storage(alter: (stored: StoredLedger) => object = (stored) => stored) {
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
        text = JSON.stringify(alter(ledger.toJSON()));
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

/** As a release wrote it that did not know of terms. */
const older = ({ terms: _, ...stored }: StoredLedger) => stored;

const RECORD = /differs in how far one record moves each release; begin another/;
const OWNERS = /differs in how much each owner's rows add; begin another/;
const PERSONS = /differs in how many rows a person may have; begin another/;
const owners = (epsilon: number) => ({ taskEpsilons: { "task-1": epsilon } });
const persons = (rowsPerPerson: number, tasksPerPerson: number) => ({
  rowsPerPerson,
  tasksPerPerson,
});

/** Fits whose plans of releases are one and the same, and what they state of records and owners is not. */
const PAIRS: [method: string, first: object, then: object, said: RegExp][] = [
  ["pmtl", { unit: "both", recordClip: 4 }, { unit: "both", recordClip: 0.1 }, RECORD],
  ["pmtl", { unit: "both", ...persons(2, 1) }, { unit: "both", ...persons(4, 1) }, PERSONS],
  ["pmtl", { unit: "both", ...persons(2, 1), recordClip: 2 }, { unit: "both", ...persons(4, 1) }, PERSONS], // prettier-ignore
  ["private-fedavg", { ...persons(2, 1) }, { ...persons(4, 1), recordClip: 0.5 }, PERSONS],
  ["private-fedavg", { ...persons(4, 1) }, { ...persons(1, 4) }, PERSONS],
  ["private-fedavg", {}, owners(0.25), /does not say how much each owner's rows add/],
  ["private-fedavg", owners(0.5), owners(0.25), OWNERS],
  ["private-fedavg", owners(0.25), {}, OWNERS],
  ["pmtl", { unit: "both", ...owners(0.5) }, { unit: "both", ...owners(0.25) }, OWNERS],
  ["mp-mixed", { ...owners(0.5), scale: "unit" }, { ...owners(0.25), scale: "unit" }, OWNERS],
  ["mp-feature-learning", { ...owners(0.5), scale: "unit" }, { ...owners(0.25), scale: "unit" }, OWNERS], // prettier-ignore
  ["mp-feature-learning", { unit: "both", ...persons(2, 1), scale: "unit" }, { unit: "both", ...persons(2, 2), scale: "unit" }, PERSONS], // prettier-ignore
];

describe("a fit that differs in what it states of records, persons or owners alone", () => {
  const run = (method: string, options: object, journal: ReleaseJournal) =>
    makeEstimator(method, { unit: "record", delta: 1e-5, ...options }).fit(tasks, { journal });

  test.each(PAIRS)("%s: %o is not taken up by %o", async (method, first, then, said) => {
    const journal = storage();
    const { weights, ledger } = await run(method, first, journal());
    await expect(run(method, then, journal())).rejects.toThrow(said);
    // Nothing but that tells the two apart.
    const other = await run(method, then, storage()());
    expect(other.ledger!.plan).toEqual(ledger!.plan);
    expect((await run(method, first, journal())).weights).toEqual(weights);
  });

  test("is not taken up from a folder of the same description", async () => {
    const folder = `${temporaryFolder()}/journal`;
    const inFolder = async (options: object) => {
      const journal = openJournal(folder, "the fit");
      try {
        return await run("pmtl", { unit: "both", ...options }, journal);
      } finally {
        journal.close();
      }
    };
    const { weights } = await inFolder({ recordClip: 4 });
    await expect(inFolder({ recordClip: 0.1 })).rejects.toThrow(RECORD);
    expect((await inFolder({ recordClip: 4 })).weights).toEqual(weights);
  });

  test("is refused where an older release wrote the ledger, and goes on where nothing is stated but the budget", async () => {
    for (const [options, said] of [
      [{ unit: "both" }, "this ledger does not say how far one record moves each release; begin another."], // prettier-ignore
      [persons(2, 1), "does not say how many rows a person may have"],
      [owners(0.5), "does not say how much each owner's rows add"],
    ] as const) {
      const journal = storage(older);
      await run("private-fedavg", options, journal());
      await expect(run("private-fedavg", options, journal())).rejects.toThrow(said);
    }
    for (const options of [{}, { unit: "task" }]) {
      const journal = storage(older);
      const { weights } = await run("private-fedavg", options, journal());
      expect((await run("private-fedavg", options, journal())).weights).toEqual(weights);
    }
  });
});

test("a journal that has sizes of something else is asked for its releases alone", async () => {
  const fitted = async (more: object) => {
    const journal = { ...storage()(), ...more };
    return await new Pmtl({ unit: "record", rounds: 1, random: { mode: "seeded", seed: "s" } }).fit(
      tasks,
      { journal },
    );
  };
  const { guarantee, weights } = await fitted({});
  // With as many records the default delta would be 1e-6, or none at all.
  const others = await fitted({ sizes: { m: 6, d: 3, rows: 1000, mostRows: 1 } });
  expect(others.guarantee).toEqual(guarantee);
  expect(others.weights).toEqual(weights);
});
