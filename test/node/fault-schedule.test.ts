/**
 * Records under every fault at random instants: bytes flipped, ends cut, older copies put back, records exchanged, locks
 * lost, kills, two writers. Never two noises for one release, never a release without its charge; otherwise a stop that
 * names the file. `npm run test:faults` runs a thousand schedules.
 *
 * What nothing in the folder can show, an older copy of all of it put back while nobody has it open, is left to
 * witnesses: the participants of a run, who remember how many rounds they heard (test/federation).
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
import { openJournal, type OpenJournal } from "../../src/node/index.js";
import { pureEvent } from "../../src/privacy/events.js";
import type { Ledger } from "../../src/privacy/index.js";
import { temporaryFolder } from "../temporary.js";

const SCHEDULES = Number(process.env["MP_MTL_FAULTS"] ?? 12);
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

/** A curator: opens the journal, draws what is not there, publishes what it kept. */
class Writer {
  readonly #journal: OpenJournal;
  readonly #ledger: Ledger;

  constructor(folder: string) {
    this.#journal = openJournal(folder, "the fit");
    try {
      this.#ledger = this.#journal.openLedger(options);
    } catch (error) {
      this.#journal.close();
      throw error;
    }
  }

  /** Publishes the next release after those that were kept, or a kept one again. */
  publish(release: number, noise: number): { release: number; noise: number } {
    const kept = this.#ledger.entries.length;
    if (release <= kept) return { release, noise: this.#journal.read(release)![0]! };
    this.#ledger.charge(event, { round: kept + 1 });
    this.#journal.write(kept + 1, Float64Array.of(noise));
    return { release: kept + 1, noise };
  }

  close(): void {
    this.#journal.close();
  }
}

/** One schedule; returns how many releases were published and how often it was stopped. */
function run(seed: number): { published: number; stops: number } {
  const next = numbersFrom(seed);
  const base = temporaryFolder();
  const folder = join(base, "journal");
  const copies = join(base, "copies");
  mkdirSync(copies);
  const published = new Map<number, number>();
  /** Writers that believe to have the journal; those that were stopped are gone. */
  let writers: Writer[] = [];
  /** For the operator who restores what was last. */
  const whole = join(base, "whole");
  let damagedFiles = false;
  let stops = 0;
  let copied = 0;
  let noise = 0;

  const stopped = (error: unknown) => {
    expect((error as { code?: string }).code, String((error as Error).stack)).toMatch(
      /^(DATA|HOST|OPTION)$/,
    );
    expect((error as Error).message).toContain(folder);
    stops++;
  };
  /** Every record as it was written: what a mirror of the disk has. */
  const mirror = () => {
    mkdirSync(whole, { recursive: true });
    for (const name of files()) {
      if (!existsSync(join(whole, name))) cpSync(join(folder, name), join(whole, name));
    }
  };
  const open = () => {
    try {
      writers.push(new Writer(folder));
      mirror();
    } catch (error) {
      stopped(error);
    }
  };
  const files = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".record")) : [];
  const aFile = () => {
    const names = files();
    return names.length === 0 ? undefined : join(folder, names[next(names.length)]!);
  };

  for (let step = 0; step < STEPS; step++) {
    const kind = next(16);
    const path = aFile();
    if (kind < 7) {
      const at = next(Math.max(1, writers.length));
      const writer = writers[at];
      if (!writer) open();
      else {
        try {
          const asked = next(4) === 0 ? 1 + next(published.size + 1) : published.size + 1;
          const { release, noise: shown } = writer.publish(asked, ++noise);
          expect(published.get(release) ?? shown, `release ${release} of schedule ${seed}`).toBe(
            shown,
          );
          published.set(release, shown);
          mirror();
        } catch (error) {
          if ((error as { code?: string }).code === undefined) throw error;
          stopped(error);
          writers = writers.filter((other) => other !== writer);
        }
      }
    } else if (kind === 7) {
      // A kill: nothing is closed, and its lock is that of a process that is not there.
      writers.pop();
      rmSync(join(folder, "lock"), { force: true });
    } else if (kind === 8) {
      // A second writer where the first is not seen.
      rmSync(join(folder, "lock"), { force: true });
      open();
    } else if (kind === 9 && path) {
      const bytes = readFileSync(path);
      if (bytes.length > 0) bytes[next(bytes.length)]! ^= 1 << next(8);
      writeFileSync(path, bytes);
      damagedFiles = true;
    } else if (kind === 10 && path) {
      const bytes = readFileSync(path);
      const cut = next(bytes.length + 1);
      writeFileSync(path, next(2) === 0 ? bytes.subarray(cut) : bytes.subarray(0, cut));
      damagedFiles = true;
    } else if (kind === 11 && path && files().length > 1) {
      // A record in the place of another, or one of the middle lost.
      const other = aFile()!;
      if (next(2) === 0) writeFileSync(path, readFileSync(other));
      else if (path !== join(folder, files().at(-1)!)) rmSync(path);
      damagedFiles = true;
    } else if (kind === 12 && existsSync(folder)) {
      cpSync(folder, join(copies, String(copied++)), { recursive: true });
    } else if (kind === 13 && copied > 0 && writers.length > 0) {
      // An older copy put back under the writers, with their lock: none of them may go on.
      const lock = existsSync(join(folder, "lock"))
        ? readFileSync(join(folder, "lock"))
        : undefined;
      rmSync(folder, { recursive: true, force: true });
      cpSync(join(copies, String(next(copied))), folder, { recursive: true });
      if (lock) writeFileSync(join(folder, "lock"), lock);
      for (const writer of writers) {
        expect(() => writer.publish(published.size + 1_000, ++noise)).toThrow();
      }
      writers = [];
      damagedFiles = true;
    } else if (kind === 14 && damagedFiles) {
      // The operator puts back what was last.
      rmSync(folder, { recursive: true, force: true });
      if (existsSync(whole)) cpSync(whole, folder, { recursive: true });
      rmSync(join(folder, "lock"), { force: true });
      writers = [];
      damagedFiles = false;
    } else if (kind === 15) {
      writers.pop()?.close();
    }
    // Nobody opens an older copy of everything: see above. The operator puts back the last one.
    if (damagedFiles && writers.length === 0 && files().length < 2 + published.size) {
      rmSync(folder, { recursive: true, force: true });
      if (existsSync(whole)) cpSync(whole, folder, { recursive: true });
      rmSync(join(folder, "lock"), { force: true });
      damagedFiles = false;
    }
  }
  // In the end: what was published is what is there, each with its charge.
  rmSync(folder, { recursive: true, force: true });
  if (published.size > 0) {
    cpSync(whole, folder, { recursive: true });
    rmSync(join(folder, "lock"), { force: true });
    const last = new Writer(folder);
    for (const [release, shown] of published) {
      expect(last.publish(release, NaN)).toEqual({ release, noise: shown });
    }
    last.close();
  }
  rmSync(base, { recursive: true, force: true });
  return { published: published.size, stops };
}

test(`${SCHEDULES} schedules: no release has two noises, none is without its charge`, () => {
  let published = 0;
  let stops = 0;
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const found = run(seed);
    published += found.published;
    stops += found.stops;
  }
  // The schedules do what they are for.
  expect(published).toBeGreaterThan(2 * SCHEDULES);
  expect(stops).toBeGreaterThan(SCHEDULES);
}, 7_200_000);
