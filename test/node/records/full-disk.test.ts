/** A disk that is full, or fails, at any one write of a run's records: the error names the file and how to go on; nothing is drawn, charged or sent twice. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { OptionError } from "../../../src/core/index.js";
import { openRunFolder } from "../../../src/node/index.js";
import { checkDirectory } from "../../../src/node/files/write-atomically.js";
import {
  CURATOR,
  plain,
  runKilled,
  twoAggregators,
  type Parties,
} from "../../federation/killed-parties.js";
import { replaceFs } from "../replaced-fs.js";
import { temporaryFolderInMemory as temporaryFolder } from "../../temporary.js";
import { thorough } from "../../thorough.js";

const disk = { steps: 0, failsAt: Infinity, code: "ENOSPC", readOnly: "" };

replaceFs((fs) => {
  const failing = <A extends unknown[], R>(work: (...args: A) => R) =>
    ((...args: A): R => {
      if (disk.steps++ === disk.failsAt) throw Object.assign(new Error(), { code: disk.code });
      return work(...args);
    }) as never;
  return {
    writeSync: failing(fs.writeSync),
    fsyncSync: failing(fs.fsyncSync),
    linkSync: failing(fs.linkSync),
    renameSync: failing(fs.renameSync),
    writeFileSync: failing(fs.writeFileSync),
    accessSync: (path: string, mode: number) => {
      if (path === disk.readOnly) throw Object.assign(new Error(), { code: "EROFS" });
      fs.accessSync(path, mode);
    },
  };
});

beforeEach(() => {
  Object.assign(disk, { steps: 0, failsAt: Infinity, readOnly: "" });
});

const KINDS: [kind: string, parties: Parties, every: number][] = [
  ["tasks are sampled", plain("pmtl", { sampling: { kind: "fixed-size", size: 2 } }), 6],
  ["participants add noise", plain("mp-low-rank", { clip: 1, curator: "untrusted" }), 8],
  ["there are two aggregators", twoAggregators, 60],
];

describe.each(KINDS)("where %s", (_kind, parties, every) => {
  const holders: Record<string, "curator" | "helper"> = { [CURATOR]: "curator", helper: "helper" };

  async function runFailing(failsAt: number) {
    const folder = temporaryFolder();
    Object.assign(disk, { steps: 0, failsAt });
    const errors: OptionError[] = [];
    const survived = await runKilled({
      ...parties,
      open: (who) => openRunFolder(join(folder, who), holders[who] ?? "participant"),
      survives: (error) => error instanceof OptionError && errors.push(error) > 0,
    });
    return { ...survived, errors };
  }

  test("full at any write", { timeout: 600_000 }, async () => {
    await runFailing(Infinity);
    const { steps } = disk;
    expect(steps).toBeGreaterThan(100);
    // Records are written in the same few steps each: an odd number comes to all of these in turn.
    const step = 2 * (thorough ? Math.floor(every / 2) : 2 * every) + 1;
    for (let at = 0; at < steps; at += step) {
      const { twice, models, curator, errors } = await runFailing(at);
      const charges = curator.ledger.entries.length;
      expect({ at, twice, charges, models: Object.keys(models).length }).toEqual({
        at,
        twice: [],
        charges: 2,
        models: Object.keys(parties.tasks).length,
      });
      for (const { message } of errors) {
        expect(message).toMatch(/^\/.* cannot be written: no space is left; make room\./);
        // Where it could not even be opened nothing was under way.
        if (/\.record|held/.test(message)) expect(message).toContain("the same command goes on");
      }
    }
  });
});

describe("a directory for results", () => {
  test("is refused before the work where it could not be written after it", async () => {
    const folder = temporaryFolder();
    await checkDirectory(join(folder, "a", "b"), []);
    disk.readOnly = folder;
    await expect(checkDirectory(join(folder, "a", "b"), [])).rejects.toThrow(
      "cannot be written: the file system is read-only.",
    );
    await expect(checkDirectory(join(folder, "a"), [])).rejects.toThrow(OptionError);
    expect(existsSync(join(folder, "a"))).toBe(false);
  });

  test.skipIf(process.platform !== "linux")(
    "is not the place where a file system is mounted",
    async () => {
      await expect(checkDirectory("/proc", [])).rejects.toThrow(
        "/proc cannot be written: a file system is mounted there",
      );
    },
  );
});
