import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  isPrivateMethod,
  makeEstimator,
  METHOD_NAMES,
  MpLowRank,
  type FitOptions,
  type ReleaseJournal,
} from "../../../src/learning/index.js";
import { methodNamed } from "../../../src/learning/methods.js";
import { openJournal } from "../../../src/node/index.js";
import { pureEvent } from "../../../src/privacy/events/events.js";
import { Ledger } from "../../../src/privacy/index.js";
import { openRecordFolder } from "../../../src/node/records/record-folder.js";
import { encodeRecord } from "../../../src/federation/protocol/records.js";
import { makeTasks } from "../../learning/tasks.js";
import { temporaryFolder } from "../../temporary.js";

const tasks = makeTasks({ m: 6, d: 4, rows: () => 8 });
const ROUNDS = 6;

function fit(random: "secure" | "seeded", hooks: FitOptions = {}) {
  const source = random === "secure" ? { mode: random } : { mode: random, seed: "journal" };
  return new MpLowRank({ rounds: ROUNDS, clip: 2, random: source }).fit(tasks, hooks);
}

/** A journal that fails at the given moment, as a killed process would. */
function dying(
  journal: ReleaseJournal,
  at: "before-write" | "after-write",
  release: number,
): ReleaseJournal {
  return {
    openLedger: (options) => journal.openLedger(options),
    read: (asked) => journal.read(asked),
    write: (written, statistic) => {
      if (written === release && at === "before-write") throw new Error("killed");
      journal.write(written, statistic);
      if (written === release) throw new Error("killed");
    },
  };
}

function folderOf(name: string): string {
  return join(temporaryFolder(), name);
}

describe("a fit with a journal", () => {
  test("that was killed goes on to the models of one that was not, spending nothing twice", async () => {
    const whole = await fit("seeded");
    for (let release = 1; release <= ROUNDS; release++) {
      const folder = folderOf("run");
      const first = openJournal(folder, "the fit");
      await expect(
        fit("seeded", { journal: dying(first, "after-write", release) }),
      ).rejects.toThrow("killed");
      first.close();
      const second = openJournal(folder, "the fit");
      const model = await fit("seeded", { journal: second });
      second.close();
      expect(model.weights).toEqual(whole.weights);
      expect(model.ledger!.entries).toEqual(whole.ledger!.entries);
      // Whose journal it is, its ledger, and the releases.
      expect(readdirSync(folder)).toHaveLength(2 + ROUNDS);
    }
  });

  test.each([
    ["seeded", "secure"],
    ["secure", "seeded"],
  ] as const)("begun with %s noise is not taken up with %s noise", async (first, then) => {
    const folder = folderOf("run");
    const begun = openJournal(folder, "the fit");
    await fit(first, { journal: begun });
    begun.close();
    // Whoever has the seed can subtract the noise of every release that is there.
    const again = openJournal(folder, "the fit");
    await expect(fit(then, { journal: again })).rejects.toThrow(
      `this ledger is of ${first} noise, this run of ${then} noise`,
    );
    again.close();
    const same = openJournal(folder, "the fit");
    const model = await fit(first, { journal: same });
    expect(model.guarantee).toMatchObject({ noiseSource: first, private: first === "secure" });
    same.close();
  });

  test("whose ledger does not say where its noise came from is not gone on with", async () => {
    const plain: ReleaseJournal = {
      openLedger: ({ noiseSource: _, ...options }) => new Ledger(options),
      read: () => undefined,
      write: () => undefined,
    };
    await expect(fit("secure", { journal: plain })).rejects.toThrow(
      "this ledger does not say where its noise came from",
    );
  });

  test("never draws a charged release again: with secure noise, what was published stays", async () => {
    const folder = folderOf("run");
    const first = openJournal(folder, "the fit");
    await expect(fit("secure", { journal: dying(first, "after-write", 3) })).rejects.toThrow(
      "killed",
    );
    const published = [1, 2, 3].map((release) => first.read(release)!);
    first.close();
    const second = openJournal(folder, "the fit");
    const model = await fit("secure", { journal: second });
    expect([1, 2, 3].map((release) => second.read(release)!)).toEqual(published);
    second.close();
    // A finished journal is the model: a further run draws nothing and gives the same bits.
    const third = openJournal(folder, "the fit");
    expect((await fit("secure", { journal: third })).weights).toEqual(model.weights);
    third.close();
  });

  test.each([1, 4])(
    "a kill before release %i is kept leaves neither charge nor release",
    async (release) => {
      const whole = await fit("seeded");
      const folder = folderOf("run");
      const first = openJournal(folder, "the fit");
      const died = fit("seeded", { journal: dying(first, "before-write", release) });
      await expect(died).rejects.toThrow("killed");
      first.close();
      const second = openJournal(folder, "the fit");
      // Nothing but the releases before it is charged: their number is that of the records.
      expect(readdirSync(folder).filter((name) => name.endsWith("record"))).toHaveLength(
        1 + release,
      );
      const model = await fit("seeded", { journal: second });
      second.close();
      expect(model.weights).toEqual(whole.weights);
      expect(model.ledger!.entries).toEqual(whole.ledger!.entries);
    },
  );

  test("a release that is charged and not there is not replaced by another", async () => {
    const folder = folderOf("run");
    const begun = openJournal(folder, "the fit");
    await fit("seeded", { journal: begun });
    const without: ReleaseJournal = {
      openLedger: () => charged,
      read: (release) => (release === 3 ? undefined : begun.read(release)),
      write: () => undefined,
    };
    const charged = (await fit("seeded")).ledger!;
    await expect(fit("seeded", { journal: without })).rejects.toThrow(
      "release 3 was charged, but it is not there. Its budget is spent",
    );
    begun.close();
  });

  const methods = METHOD_NAMES.filter(isPrivateMethod);
  test.each(methods)("%s takes its releases from a finished journal", async (method) => {
    const folder = folderOf("run");
    const fitAgain = async () => {
      const journal = openJournal(folder, method);
      // The mixed model needs to know how large values are.
      const own = "scale" in methodNamed(method).options ? { scale: "unit" } : {};
      const options = { epsilon: 5, delta: 1e-3, ...own };
      const model = await makeEstimator(method, options).fit(tasks, { journal });
      journal.close();
      return model;
    };
    const first = await fitAgain();
    expect(readdirSync(folder)).toHaveLength(2 + first.ledger!.entries.length);
    expect((await fitAgain()).weights).toEqual(first.weights);
  });

  describe("that was tampered with", () => {
    const recordAt = (folder: string, release: number) =>
      join(folder, `${String(2 + release).padStart(6, "0")}.record`);

    async function finished(): Promise<string> {
      const folder = folderOf("run");
      const journal = openJournal(folder, "the fit");
      await fit("seeded", { journal });
      journal.close();
      return folder;
    }

    test("stops the fit: a release altered, exchanged, taken from another journal, or missing", async () => {
      const [folder, other] = [await finished(), await finished()];
      const [three, four] = [3, 4].map((release) => readFileSync(recordAt(folder, release)));
      const cases: [number, Buffer | undefined][] = [
        [3, Buffer.concat([three!.subarray(0, -1), Buffer.of(three!.at(-1)! ^ 1)])],
        [3, four!],
        [3, readFileSync(recordAt(other, 3))], // the same fit and seed, and so the same release
        [3, undefined],
      ];
      for (const [release, bytes] of cases) {
        rmSync(recordAt(folder, release));
        if (bytes) writeFileSync(recordAt(folder, release), bytes);
        expect(() => openJournal(folder, "the fit")).toThrow(
          /record 5 (is damaged|does not|is missing)/,
        );
        writeFileSync(recordAt(folder, release), three!);
      }
      openJournal(folder, "the fit").close();
    });

    test.each([NaN, Infinity])("a release with %s is refused, written or read", async (value) => {
      const folder = folderOf("run");
      const journal = openJournal(folder, "the fit");
      await expect(
        fit("seeded", { journal: dying(journal, "before-write", ROUNDS) }),
      ).rejects.toThrow();
      journal.close();
      const charge = (await fit("seeded")).ledger!.entries.at(-1)!;
      const short = openJournal(folder, "the fit");
      short.openLedger(await optionsOf()).charge(charge.event, { round: ROUNDS });
      const length = short.read(1)!.length;
      const bad = new Float64Array(length).fill(value);
      expect(() => short.write(ROUNDS, bad)).toThrow(
        `release ${ROUNDS}: entry 1 of ${length} is not a`,
      );
      short.close();
      const forged = openRecordFolder(folder, "it");
      forged.append(
        encodeRecord({
          type: "release",
          round: ROUNDS,
          statistic: bad,
          charge: { ...charge, round: ROUNDS },
        }),
      );
      forged.close();
      expect(() => openJournal(folder, "the fit")).toThrow(
        `release ${ROUNDS}: entry 1 of ${length} is not`,
      );
    });
  });

  /** The budget of these fits. */
  async function optionsOf() {
    const { epsilon, delta, adjacency, plan, noiseSource } = (await fit("seeded")).ledger!;
    return { epsilon, delta, adjacency, plan: plan!, noiseSource: noiseSource! };
  }

  test("refuses the folder of another fit, and another plan", async () => {
    const folder = folderOf("run");
    const journal = openJournal(folder, "one");
    await fit("secure", { journal });
    journal.close();
    expect(() => openJournal(folder, "other")).toThrow(/of another fit/);
    const again = openJournal(folder, "one");
    const more = new MpLowRank({ rounds: ROUNDS + 1, clip: 2 });
    await expect(more.fit(tasks, { journal: again })).rejects.toThrow(/another plan/);
    again.close();
    expect(existsSync(join(folder, "lock"))).toBe(false);
    rmSync(folder, { recursive: true });
  });
});

describe("out of its order, a journal refuses", () => {
  const event = pureEvent({ epsilon: 0.1 });
  const options = { epsilon: 1, delta: 0, adjacency: "replace", plan: [event, event] } as const;
  const statistic = Float64Array.of(1, 2);

  test("a second ledger, a release that is not charged, or not the next", () => {
    const journal = openJournal(folderOf("run"), "the fit");
    expect(() => {
      journal.write(1, statistic);
    }).toThrow("expected release 1, charged, and got release 1");
    const ledger = journal.openLedger(options);
    expect(() => journal.openLedger(options)).toThrow("this journal's ledger is open already");
    const refused = (release: number, next: number) => {
      expect(() => {
        journal.write(release, statistic);
      }).toThrow(`expected release ${next}, charged, and got release ${release}`);
    };
    refused(1, 1);
    ledger.charge(event, { round: 1 });
    refused(2, 1);
    journal.write(1, statistic);
    refused(1, 2);
    refused(2, 2);
    ledger.charge(event, { round: 3 });
    refused(2, 2);
    // What was kept is the journal's own: neither the caller's array nor what it hands out.
    statistic[0] = 9;
    journal.read(1)!.fill(7);
    expect(journal.read(1)).toEqual(Float64Array.of(1, 2));
    expect(journal.read(2)).toBeUndefined();
    journal.close();
  });

  const header = { format: "mp-mtl-journal", version: 2, identity: "the fit" };
  const charge = { round: 1, event };
  const release = { type: "release", round: 1, charge, statistic } as const;
  test.each([
    ["another round", { ...release, round: 2 }],
    ["the charge of another round", { ...release, charge: { ...charge, round: 2 } }],
  ])("a record of %s", (_, record) => {
    const folder = folderOf("run");
    const records = openRecordFolder(folder, "it");
    records.append(new TextEncoder().encode(JSON.stringify(header)));
    records.append(new TextEncoder().encode(JSON.stringify(new Ledger(options))));
    records.append(encodeRecord(record));
    records.close();
    expect(() => openJournal(folder, "the fit")).toThrow("expected the 1. release and its charge");
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  test("what is no ledger, in the ledger's place", () => {
    const folder = folderOf("run");
    const records = openRecordFolder(folder, "it");
    for (const text of [JSON.stringify(header), "{}"])
      records.append(new TextEncoder().encode(text));
    records.close();
    const journal = openJournal(folder, "the fit");
    expect(() => journal.openLedger(options)).toThrow(/record 2 is no ledger \(/);
    journal.close();
  });
});

test.each([
  [{ format: "mp-mtl-journal", version: 1, identity: "the fit" }, "found version 1"],
  [{ format: "another", version: 2, identity: "the fit" }, "found no version"],
  [null, "found no version"],
])("a folder that begins with %o is no journal of this version", (header, found) => {
  const folder = join(temporaryFolder(), "journal");
  const records = openRecordFolder(folder, "it");
  records.append(new TextEncoder().encode(JSON.stringify(header)));
  records.close();
  expect(() => openJournal(folder, "the fit")).toThrow(`expected a journal of version 2, ${found}`);
});
