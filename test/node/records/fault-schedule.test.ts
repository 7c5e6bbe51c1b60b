/**
 * Records under every fault at random instants: bytes flipped, ends cut, older copies put back, copies gone on with, records
 * exchanged, locks lost, kills, two writers. Never two noises for one release, never a release without its charge; otherwise a
 * stop that names the folder. `npm run test:faults` runs a thousand schedules for each kind of records.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openJournal, openLedgerFolder, openRunFolder } from "../../../src/node/index.js";
import { pureEvent } from "../../../src/privacy/events/events.js";
import { temporaryFolderInMemory as temporaryFolder } from "../../temporary.js";
import { thorough } from "../../thorough.js";

const SCHEDULES = Number(process.env["MP_MTL_FAULTS"] ?? (thorough ? 12 : 6));
const STEPS = 40;
const event = pureEvent({ epsilon: 0.01 });
const options = { epsilon: 1, delta: 0, adjacency: "replace" } as const;

function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
}

interface Shown {
  readonly release: number;
  readonly noise: number;
}

/** Whoever charges, keeps and shows. */
interface Writer {
  /** Shows the next release after those that were kept, or a kept one again; undefined where that is not kept. */
  publish(release: number, noise: number): Promise<Shown | undefined>;
  close(): Promise<void>;
}

/** By what keeps the records. */
const KINDS: Readonly<Record<string, (folder: string) => Promise<Writer>>> = {
  async "release journal"(folder) {
    const journal = openJournal(folder, "the fit");
    const ledger = await Promise.resolve()
      .then(() => journal.openLedger(options))
      .catch((error: unknown) => {
        journal.close();
        throw error;
      });
    return {
      async publish(asked, noise) {
        const kept = ledger.entries.length;
        if (asked <= kept) return { release: asked, noise: journal.read(asked)![0]! };
        const release = kept + 1;
        ledger.charge(event, { round: release });
        journal.write(release, Float64Array.of(noise));
        return Promise.resolve({ release, noise });
      },
      close: () => Promise.resolve(journal.close()),
    };
  },
  ledger(folder) {
    const { ledger, close } = openLedgerFolder(folder, options);
    return Promise.resolve({
      async publish(asked, noise) {
        const release = ledger.entries.length + 1;
        if (asked < release) return undefined;
        ledger.charge(event, { round: release });
        return Promise.resolve({ release, noise });
      },
      close: () => Promise.resolve(close()),
    });
  },
  async "curator's records"(folder) {
    const store = openRunFolder(folder);
    const kept = (await store.load()).map((record) => Number(new TextDecoder().decode(record)));
    return {
      async publish(asked, noise) {
        if (asked <= kept.length) return { release: asked, noise: kept[asked - 1]! };
        await store.append(new TextEncoder().encode(String(noise)));
        return { release: kept.push(noise), noise };
      },
      close: () => store.close(),
    };
  },
};

/** One schedule; returns how many releases were shown and how often somebody was stopped. */
async function run(
  openWriter: (folder: string) => Promise<Writer>,
  seed: number,
): Promise<{ shown: number; stops: number }> {
  const next = numbersFrom(seed);
  const base = temporaryFolder();
  const folder = join(base, "records");
  /** Every record as it was when it was last good: what a mirror of the disk has. */
  const whole = join(base, "whole");
  const copies: string[] = [];
  const shown = new Map<number, number>();
  /** Those that believe to have the records; who was stopped is gone. */
  let writers: { readonly at: string; readonly writer: Writer }[] = [];
  let damaged = false;
  let stops = 0;
  let noise = 0;

  const filesOf = (at: string) =>
    existsSync(at) ? readdirSync(at).filter((name) => name.endsWith(".record")) : [];
  const stopped = (error: unknown, at: string) => {
    expect((error as { code?: string }).code, String((error as Error).stack)).toMatch(
      /^(DATA|HOST|OPTION)$/,
    );
    expect((error as Error).message).toContain(at);
    stops++;
  };
  const mirror = (at: string) => {
    mkdirSync(whole, { recursive: true });
    for (const name of filesOf(at)) {
      if (!existsSync(join(whole, name))) cpSync(join(at, name), join(whole, name));
    }
  };
  const unlock = (at: string) => rmSync(join(at, "lock"), { force: true });
  const open = async (at = folder) => {
    try {
      writers.push({ at, writer: await openWriter(at) });
      mirror(at);
    } catch (error) {
      stopped(error, at);
    }
  };
  const publish = async (one: (typeof writers)[number]) => {
    const asked = next(4) === 0 ? 1 + next(shown.size + 1) : shown.size + 1;
    try {
      const found = await one.writer.publish(asked, ++noise);
      if (!found) return;
      const before = shown.get(found.release) ?? found.noise;
      expect(before, `release ${found.release} of schedule ${seed}`).toBe(found.noise);
      shown.set(found.release, found.noise);
      mirror(one.at);
    } catch (error) {
      if ((error as { code?: string }).code === undefined) throw error;
      stopped(error, one.at);
      writers = writers.filter((other) => other !== one);
      // It may have left a record that nobody used.
      damaged = true;
    }
  };
  /** The operator puts back what was last. */
  const putBack = () => {
    rmSync(folder, { recursive: true, force: true });
    if (existsSync(whole)) cpSync(whole, folder, { recursive: true });
    writers = [];
    damaged = false;
  };
  const copy = (): string => {
    const at = join(base, `copy-${copies.length}`);
    cpSync(folder, at, { recursive: true });
    unlock(at);
    copies.push(at);
    return at;
  };
  const aFile = () => {
    const names = filesOf(folder);
    return names.length === 0 ? undefined : join(folder, names[next(names.length)]!);
  };

  const faults: readonly (() => Promise<void> | void)[] = [
    // A kill: nothing is closed, and its lock is that of a process that is not there.
    () => {
      const one = writers.pop();
      if (one) unlock(one.at);
    },
    // A second writer where the first is not seen.
    () => {
      unlock(folder);
      return open();
    },
    () => {
      const path = aFile();
      if (!path) return;
      const bytes = readFileSync(path);
      if (bytes.length > 0) bytes[next(bytes.length)]! ^= 1 << next(8);
      writeFileSync(path, bytes);
      damaged = true;
    },
    () => {
      const path = aFile();
      if (!path) return;
      const bytes = readFileSync(path);
      const cut = next(bytes.length + 1);
      writeFileSync(path, next(2) === 0 ? bytes.subarray(cut) : bytes.subarray(0, cut));
      damaged = true;
    },
    // A record in the place of another, or lost; the last of them too.
    () => {
      const path = aFile();
      if (!path || filesOf(folder).length < 2) return;
      if (next(2) === 0) writeFileSync(path, readFileSync(aFile()!));
      else rmSync(path);
      damaged = true;
    },
    () => {
      if (filesOf(folder).length > 0) copy();
    },
    // A copy that is gone on with beside the first.
    () => (filesOf(folder).length > 0 ? open(copy()) : undefined),
    () => (copies.length > 0 ? open(copies[next(copies.length)]!) : undefined),
    // An older copy put back, under whoever has the records, or while nobody has.
    async () => {
      if (copies.length === 0) return;
      const lock = join(folder, "lock");
      const held = existsSync(lock) ? readFileSync(lock) : undefined;
      rmSync(folder, { recursive: true, force: true });
      cpSync(copies[next(copies.length)]!, folder, { recursive: true });
      const under = writers.filter(({ at }) => at === folder);
      unlock(folder);
      if (held && under.length > 0) writeFileSync(lock, held);
      for (const { writer } of under) {
        await expect(writer.publish(shown.size + 1_000, ++noise)).rejects.toThrow();
      }
      writers = writers.filter(({ at }) => at !== folder);
      unlock(folder);
      damaged = true;
      await open();
    },
    () => (damaged ? putBack() : undefined),
    async () => {
      await writers.pop()?.writer.close();
    },
  ];

  for (let step = 0; step < STEPS; step++) {
    if (next(20) < 9) {
      const one = writers[next(Math.max(1, writers.length))];
      if (one) await publish(one);
      else if (damaged && next(3) === 0) putBack();
      else await open();
    } else await faults[next(faults.length)]!();
  }
  // In the end what was shown is what is there.
  putBack();
  if (shown.size > 0) {
    const last = await openWriter(folder);
    for (const [release, value] of shown) {
      expect(await last.publish(release, NaN)).toEqual(
        openWriter === KINDS["ledger"] ? undefined : { release, noise: value },
      );
    }
    await last.close();
  }
  rmSync(base, { recursive: true, force: true });
  return { shown: shown.size, stops };
}

test.each(Object.entries(KINDS))(
  `${SCHEDULES} schedules of a %s: no release has two noises, none is without its charge`,
  async (_name, openWriter) => {
    let shown = 0;
    let stops = 0;
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const found = await run(openWriter, seed);
      shown += found.shown;
      stops += found.stops;
    }
    // The schedules do what they are for.
    expect(shown).toBeGreaterThan(2 * SCHEDULES);
    expect(stops).toBeGreaterThan(SCHEDULES);
  },
  7_200_000,
);
