/**
 * A kill before every single call to the file system, and each of these calls refused: no release has two noises, none is shown
 * without its charge, and whoever starts again goes on. Also where a copy of the folder goes on first.
 */
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openJournal, openLedgerFolder, openRunFolder } from "../../../src/node/index.js";
import { pureEvent } from "../../../src/privacy/events/events.js";
import { replaceFs } from "../replaced-fs.js";
import { temporaryFolderInMemory as temporaryFolder } from "../../temporary.js";
import { thorough } from "../../thorough.js";

const disk = {
  on: false,
  calls: 0,
  /** The call before which the process dies, or that is refused with the code. */
  at: 0,
  code: "",
  /** Bytes of a refused or last write that reach the disk all the same. */
  torn: false,
  dead: false,
  last: "",
};

const KILLED = "killed";

replaceFs((fs) => {
  const watched = <Args extends unknown[], Result>(
    name: string,
    call: (...args: Args) => Result,
    half?: (...args: Args) => void,
  ) =>
    function (...args: Args): Result {
      if (!disk.on) return call(...args);
      if (disk.dead) throw new Error(KILLED);
      if (++disk.calls === disk.at) {
        disk.last = name;
        if (disk.torn) half?.(...args);
        disk.dead = disk.code === "";
        throw disk.dead
          ? new Error(KILLED)
          : Object.assign(new Error(disk.code), { code: disk.code });
      }
      return call(...args);
    };
  return {
    openSync: watched("open", fs.openSync),
    writeSync: watched(
      "write",
      (file: number, bytes: Uint8Array, from: number, length?: number, position?: number) =>
        fs.writeSync(file, bytes, from, length, position),
      (file, bytes) => fs.writeSync(file, bytes.subarray(0, bytes.length >> 1)),
    ),
    writeFileSync: watched("write file", fs.writeFileSync, (path, data, options) =>
      fs.writeFileSync(path, String(data).slice(0, 10), options),
    ),
    fsyncSync: watched("sync", fs.fsyncSync),
    linkSync: watched("link", fs.linkSync),
    renameSync: watched("rename", fs.renameSync),
    rmSync: watched("remove", fs.rmSync),
    mkdirSync: watched("make", fs.mkdirSync),
    readFileSync: watched("read", fs.readFileSync),
    readdirSync: watched("list", fs.readdirSync),
  };
});

beforeEach(() => {
  Object.assign(disk, { on: false, calls: 0, at: 0, code: "", torn: false, dead: false });
});

const RELEASES = 2;
const event = pureEvent({ epsilon: 0.01 });
const options = { epsilon: 1, delta: 0, adjacency: "replace" } as const;
let drawn = 0;

/** Charges, draws, keeps and shows: each release of a fit, those of an earlier one as they were. */
type Program = (folder: string, show: (release: number, noise: number) => void) => Promise<void>;

const PROGRAMS: Readonly<Record<string, Program>> = {
  "release journal"(folder, show) {
    const journal = openJournal(folder, "the fit");
    try {
      const ledger = journal.openLedger(options);
      const kept = ledger.releases;
      for (let release = 1; release <= RELEASES; release++) {
        if (release > kept) {
          ledger.charge(event, { round: release });
          journal.write(release, Float64Array.of(++drawn));
        }
        show(release, journal.read(release)![0]!);
      }
    } finally {
      journal.close();
    }
    return Promise.resolve();
  },
  ledger(folder, show) {
    const { ledger, close } = openLedgerFolder(folder, options);
    try {
      while (ledger.releases < RELEASES) {
        const release = ledger.releases + 1;
        ledger.charge(event, { round: release });
        show(release, ++drawn);
      }
    } finally {
      close();
    }
    return Promise.resolve();
  },
  /** Of a sampled round: the key is held before what it opens is kept. */
  async "curator's records"(folder, show) {
    const store = openRunFolder(folder);
    const bytes = (value: number) => new TextEncoder().encode(String(value));
    try {
      const read = (await store.load()).map((record) => Number(new TextDecoder().decode(record)));
      const key = read.find((value) => value < 0);
      const kept = read.filter((value) => value > 0);
      if (kept.length > 1) expect(key, "what was kept has its key").toBe(-7);
      if (kept.length === 0) {
        await store.append(bytes(++drawn));
        kept.push(drawn);
      }
      if (key === undefined) await store.hold!(bytes(-7));
      // The first record is the run's plan.
      for (let release = 1; release <= RELEASES; release++) {
        if (release > kept.length - 1) {
          await store.append(bytes(++drawn));
          kept.push(drawn);
        }
        show(release, kept[release]!);
      }
    } finally {
      await store.close();
    }
  },
};

type Ended = "done" | "killed" | "refused";

/** One process, until it ends: what it shows was either never shown, or is what was. */
async function runWith(
  program: Program,
  folder: string,
  shown: Map<number, number>,
): Promise<Ended> {
  const show = (release: number, noise: number) => {
    if (disk.dead) throw new Error(KILLED);
    expect(shown.get(release) ?? noise, `release ${release}`).toBe(noise);
    shown.set(release, noise);
  };
  try {
    await program(folder, show);
    return "done";
  } catch (error) {
    if (disk.dead) return "killed";
    if (!("code" in (error as object))) throw error;
    expect((error as { code?: string }).code, String((error as Error).stack)).toMatch(
      /^(DATA|HOST|OPTION|ENOSPC|EIO)$/,
    );
    return "refused";
  }
}

/** Ends once it has shown a release. */
const stoppedAfterOne =
  (program: Program): Program =>
  (folder, show) =>
    program(folder, (release, noise) => {
      show(release, noise);
      throw Object.assign(new Error("enough"), { code: "HOST" });
    });

/** Nobody has it any more: its process is not there. */
const unlock = (folder: string) => rmSync(join(folder, "lock"), { force: true });

/** What happens at a call: a code to refuse it with, none for a kill; and whether half of a write is done. */
const FAULTS: readonly (readonly [name: string, code: string, torn: boolean])[] = [
  ["kill, a write half done,", "", true],
  ["full disk", "ENOSPC", true],
  ["kill, a write not done,", "", false],
  ["bad disk", "EIO", false],
];

for (const [kind, program] of Object.entries(PROGRAMS)) {
  const faults = thorough ? FAULTS : FAULTS.slice(0, 1);
  test.each(faults)(
    `${kind}, %s at every call`,
    async (_name, code, torn) => {
      let points = 0;
      for (const copied of ["no copy", "after", "before"]) {
        for (let at = 1; ; at++) {
          const base = temporaryFolder();
          const [folder, copy] = [join(base, "records"), join(base, "copy")];
          const shown = new Map<number, number>();
          if (copied === "before") {
            await runWith(stoppedAfterOne(program), folder, shown);
            cpSync(folder, copy, { recursive: true });
          }
          Object.assign(disk, { on: true, calls: 0, at, code, torn, dead: false });
          const ended: Ended = await runWith(program, folder, shown);
          const reached = disk.calls >= at;
          Object.assign(disk, { on: false, dead: false });
          unlock(folder);
          if (copied === "after" && existsSync(folder)) cpSync(folder, copy, { recursive: true });
          const before = new Map(shown);
          const ends = [];
          // Two empty folders are two fits.
          if (existsSync(join(copy, "000001.record"))) {
            unlock(copy);
            ends.push(await runWith(program, copy, shown));
          }
          ends.push(await runWith(program, folder, shown));
          const last = `${at}: ${disk.last}, ${ended}, then ${ends.join(", ")}`;
          // Whoever is alone goes on; of two one does, whichever.
          if (copied === "no copy") expect(ends, last).toEqual(["done"]);
          expect(ends, last).toContain("done");
          if (kind !== "ledger") expect([...shown.keys()], last).toEqual([1, 2]);
          for (const [release, noise] of before) expect(shown.get(release)).toBe(noise);
          rmSync(base, { recursive: true, force: true });
          if (!reached) break;
          points++;
        }
      }
      expect(points).toBeGreaterThan(60);
    },
    600_000,
  );
}
