import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  isPrivateMethod,
  makeEstimator,
  METHOD_NAMES,
  MpLowRank,
  type FitOptions,
  type ReleaseJournal,
} from "../../src/learning/index.js";
import { methodNamed } from "../../src/learning/methods.js";
import { openJournal } from "../../src/node/index.js";
import { Ledger } from "../../src/privacy/index.js";
import { makeTasks } from "../learning/tasks.js";

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
  return join(mkdtempSync(join(tmpdir(), "mp-mtl-journal-")), name);
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
      expect(readdirSync(folder).filter((name) => name.startsWith("release"))).toHaveLength(ROUNDS);
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

  test("lets the release before stand in for one that was charged and lost", async () => {
    const folder = folderOf("run");
    const first = openJournal(folder, "the fit");
    await expect(fit("secure", { journal: dying(first, "before-write", 4) })).rejects.toThrow(
      "killed",
    );
    first.close();
    const second = openJournal(folder, "the fit");
    const model = await fit("secure", { journal: second });
    expect(second.read(4)).toBeUndefined();
    second.close();
    expect(model.ledger!.entries).toHaveLength(ROUNDS);
  });

  test("says that the budget is spent where nothing can stand in", async () => {
    const folder = folderOf("run");
    const first = openJournal(folder, "the fit");
    await expect(fit("secure", { journal: dying(first, "before-write", 1) })).rejects.toThrow(
      "killed",
    );
    first.close();
    const second = openJournal(folder, "the fit");
    await expect(fit("secure", { journal: second })).rejects.toThrow(/release 1 was charged but/);
    second.close();
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
    const releases = readdirSync(folder).filter((name) => name.startsWith("release"));
    expect(releases).toHaveLength(first.ledger!.entries.length);
    expect((await fitAgain()).weights).toEqual(first.weights);
  });

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
    expect(existsSync(join(folder, "ledger.jsonl.lock"))).toBe(false);
    rmSync(folder, { recursive: true });
  });
});
