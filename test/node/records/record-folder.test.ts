import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { EMPTY_CHAIN, sealRecord } from "../../../src/core/record-chain.js";
import { openRecordFolder } from "../../../src/node/records/record-folder.js";
import { openRollbackGuard } from "../../../src/node/records/rollback-guard.js";
import { stateFolder } from "../../../src/node/records/state-folder.js";
import { temporaryFolder } from "../../temporary.js";
import { builtEntry, isBuilt } from "../built.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const open = (folder: string) => openRecordFolder(folder, "these records");
const recordAt = (folder: string, number: number) =>
  join(folder, `${String(number).padStart(6, "0")}.record`);

/** A folder of the records "1" to "n". */
function filled(n: number): string {
  const folder = join(temporaryFolder(), "records");
  const records = open(folder);
  for (let i = 1; i <= n; i++) records.append(bytes(`record ${i}`));
  records.close();
  return folder;
}

/** Puts a file's content there as another file, as a copy would. */
function restore(from: string, to: string): void {
  rmSync(to);
  copyFileSync(from, to);
}

describe("a folder of records", () => {
  test("gives back what was appended, in any number of lives", () => {
    const folder = filled(2);
    const again = open(folder);
    again.append(bytes("record 3"));
    again.close();
    const last = open(folder);
    expect(last.read().map((record) => new TextDecoder().decode(record))).toEqual([
      "record 1",
      "record 2",
      "record 3",
    ]);
    last.close();
    expect(readdirSync(folder)).toHaveLength(3);
  });

  test.skipIf(process.platform === "win32")("is for its owner only", () => {
    const folder = filled(1);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(recordAt(folder, 1)).mode & 0o777).toBe(0o600);
  });

  test("names the record that is missing or damaged, and leaves all as it is", () => {
    const folder = filled(3);
    renameSync(recordAt(folder, 2), join(folder, "other"));
    expect(() => open(folder)).toThrow("record 2 is missing, though 000003.record is there");
    renameSync(join(folder, "other"), recordAt(folder, 2));
    const whole = readFileSync(recordAt(folder, 3));
    writeFileSync(recordAt(folder, 3), whole.subarray(0, -1));
    expect(() => open(folder)).toThrow(`${recordAt(folder, 3)}: record 3 is damaged`);
    writeFileSync(recordAt(folder, 3), whole);
    expect(open(folder).read()).toHaveLength(3);
  });

  test("counts its records by number, not by name", () => {
    const folder = join(temporaryFolder(), "records");
    mkdirSync(folder);
    for (const name of ["1000000.record", "999999.record"]) writeFileSync(join(folder, name), "");
    expect(() => open(folder)).toThrow("record 1 is missing, though 999999.record is there");
  });

  test("a kill before the link leaves nothing that counts", () => {
    const folder = filled(1);
    const part = ".00000000-0000-0000-0000-000000000000.tmp";
    writeFileSync(join(folder, part), "half a rec");
    const records = open(folder);
    expect(records.read()).toHaveLength(1);
    expect(readdirSync(folder)).not.toContain(part);
    records.close();
  });

  test.each(["run.records", "ledger.jsonl", "notes.txt"])(
    "refuses a folder with %s and no records, and erases nothing",
    (name) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, name), "of somebody else");
      expect(() => open(folder)).toThrow(`it holds no records of this release, but "${name}"`);
      expect(readdirSync(folder)).toEqual([name]);
      expect(readFileSync(join(folder, name), "utf8")).toBe("of somebody else");
    },
  );

  test("refuses a file, and erases nothing", () => {
    const path = join(temporaryFolder(), "ledger.json");
    writeFileSync(path, '{"format":"mp-mtl-ledger"}');
    expect(() => open(path)).toThrow("this is a file, expected a folder of records");
    expect(readFileSync(path, "utf8")).toBe('{"format":"mp-mtl-ledger"}');
  });
});

describe("a disk that does not take a record", () => {
  test.skipIf(process.platform !== "linux")("that is read-only or no disk is named by path", () => {
    expect(() => open("/proc/mp-mtl-records")).toThrow(
      /^\/proc\/mp-mtl-records cannot be written: /,
    );
  });

  test("nothing follows once the folder is closed", () => {
    const records = open(filled(1));
    records.close();
    expect(() => records.append(bytes("late"))).toThrow("these records are closed");
  });

  test.skipIf(!isBuilt || process.platform !== "linux")(
    "that is full is named, what was being written does not count, and nothing follows",
    async () => {
      const folder = filled(1);
      // The system lets this process write files of 4 blocks at most.
      const script = `import { openRunFolder } from ${JSON.stringify(builtEntry)};
        const store = openRunFolder(process.argv[1]);
        for (const length of [100_000, 1]) {
          await store.append(new Uint8Array(length)).catch((error) => console.log(error.message));
        }`;
      const { stdout } = spawnSync(
        "sh",
        [
          "-c",
          'ulimit -f 4; exec "$0" "$@"',
          process.execPath,
          "--input-type=module",
          "-e",
          script,
          folder,
        ],
        { encoding: "utf8" },
      );
      expect(stdout.split("\n")).toEqual([
        `${recordAt(folder, 2)} cannot be written: it would be larger than files may be there. Nothing that was to follow was sent: once it can be written, the same command goes on where it was.`,
        expect.stringContaining("an earlier record could not be written; open the records again"),
        "",
      ]);
      expect(open(folder).read()).toHaveLength(1);
    },
  );
});

describe("two writers", () => {
  test("in one process: the second is refused at its start", () => {
    const folder = filled(1);
    const first = open(folder);
    expect(() => open(folder)).toThrow(`process ${process.pid} has these records`);
    first.close();
    open(folder).close();
  });

  test("that both believe in their lock: one gets the number, the other an error", () => {
    const folder = filled(1);
    const first = open(folder);
    const own = readFileSync(join(folder, "lock"));
    rmSync(join(folder, "lock"));
    const second = open(folder);
    const other = readFileSync(join(folder, "lock"));
    second.append(bytes("the second's"));
    // As if the first had looked at the lock just before it was taken over.
    writeFileSync(join(folder, "lock"), own);
    expect(() => first.append(bytes("the first's"))).toThrow("record 2 is another process's");
    expect(() => first.append(bytes("the first's"))).toThrow("could not be written");
    writeFileSync(join(folder, "lock"), other);
    second.append(bytes("the second's, again"));
    second.close();
    const found = open(folder)
      .read()
      .map((record) => new TextDecoder().decode(record));
    expect(found).toEqual(["record 1", "the second's", "the second's, again"]);
  });

  test("of which one was paused while the other took over: it stops at its next record", () => {
    const folder = filled(1);
    const first = open(folder);
    rmSync(join(folder, "lock"));
    const second = open(folder);
    expect(() => first.append(bytes("late"))).toThrow("another process has taken over");
    first.close(); // must not give back what is the second's
    second.append(bytes("record 2"));
    second.close();
    expect(readdirSync(folder)).toHaveLength(2);
  });

  const lock = (folder: string, change: (holder: Record<string, unknown>) => object | string) => {
    const records = open(folder);
    const holder = JSON.parse(readFileSync(join(folder, "lock"), "utf8")) as Record<
      string,
      unknown
    >;
    records.close();
    const changed = change(holder);
    const text = typeof changed === "string" ? changed : JSON.stringify(changed);
    writeFileSync(join(folder, "lock"), text);
  };
  test.skipIf(process.platform !== "linux").each([
    ["of before the machine's last start", (h: object) => ({ ...h, boot: "another" })],
    ["of another container", (h: object) => ({ ...h, pid: 1, namespace: "pid:[1]" })],
    ["of an ended process whose number was given again", (h: object) => ({ ...h, started: "1" })],
    ["of a process that is not there", (h: object) => ({ ...h, pid: 2 ** 22 + 1 })],
    ["of an older release", () => String(process.pid)],
    ["cut by a crash", () => ""],
  ])("a lock %s does not block", (_, change) => {
    const folder = filled(1);
    lock(folder, change);
    const records = open(folder);
    records.append(bytes("record 2"));
    records.close();
  });

  test("a lock of a process that runs does", () => {
    const folder = filled(1);
    lock(folder, (holder) => holder);
    expect(() => open(folder)).toThrow("has these records. If it has ended, delete this file");
  });
});

describe("copies of a folder", () => {
  const copyOf = (folder: string) => {
    const copy = join(temporaryFolder(), "copy");
    cpSync(folder, copy, { recursive: true });
    return copy;
  };
  /** What the folder's chain began with: the name of what this machine remembers of it. */
  const memoryOf = (folder: string) => {
    const id = readFileSync(recordAt(folder, 1), "latin1").split(" ")[3]!;
    return join(stateFolder("records"), id);
  };

  test("a folder that lost its last records is refused, and one that has them again is not", () => {
    const folder = filled(4);
    const copy = copyOf(folder);
    rmSync(recordAt(folder, 4));
    expect(() => open(folder)).toThrow(
      `${folder}: it ends with record 3, and had 4 on this machine: this is an older copy.`,
    );
    rmSync(recordAt(folder, 3));
    expect(() => open(folder)).toThrow("it ends with record 2, and had 4 on this machine");
    const records = open(copy);
    records.append(bytes("record 5"));
    records.close();
    expect(open(copy).read()).toHaveLength(5);
  });

  test("of two that go on, one goes on, also where both write the same", () => {
    const folder = filled(2);
    const copy = copyOf(folder);
    const [one, other] = [open(folder), open(copy)];
    one.append(bytes("record 3"));
    expect(() => other.append(bytes("record 3"))).toThrow(
      `${copy}: record 3 was written in a copy of this folder too`,
    );
    one.append(bytes("record 4"));
    other.close();
    expect(() => open(copy)).toThrow("it ends with record 3, and had 4 on this machine");
    one.close();
  });

  test("a kill before the machine remembers a record loses nothing", () => {
    const folder = filled(3);
    const memory = memoryOf(folder);
    expect(readdirSync(memory)).toEqual(["3"]);
    renameSync(join(memory, "3"), join(memory, "2"));
    writeFileSync(join(memory, "2"), ""); // cut by a crash
    const records = open(folder);
    expect(records.read()).toHaveLength(3);
    records.append(bytes("record 4"));
    records.close();
    expect(readdirSync(memory)).toEqual(["4"]);
  });

  test("the same number with another digest is a copy that went its own way", () => {
    const folder = filled(2);
    writeFileSync(join(memoryOf(folder), "2"), "0".repeat(64));
    expect(() => open(folder)).toThrow(
      "record 2 is of a copy that went its own way; go on with the other.",
    );
  });

  test("a folder that an earlier build began goes on without a memory", () => {
    const folder = join(temporaryFolder(), "records");
    mkdirSync(folder);
    const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest();
    const first = sealRecord(EMPTY_CHAIN, bytes("record 1"), sha256);
    writeFileSync(recordAt(folder, 1), first.bytes);
    const records = open(folder);
    records.append(bytes("record 2"));
    records.close();
    expect(open(folder).read()).toHaveLength(2);
    expect(existsSync(memoryOf(folder))).toBe(false);
  });

  test("a machine that cannot remember says which folder it lacks, before anything is used", () => {
    const blocked = join(temporaryFolder(), "file");
    writeFileSync(blocked, "");
    vi.stubEnv("XDG_STATE_HOME", blocked);
    const records = open(join(temporaryFolder(), "records"));
    expect(() => records.append(bytes("record 1"))).toThrow(
      /mp-mtl.records.* cannot be written: .*\. There this machine remembers .* XDG_STATE_HOME/,
    );
    vi.unstubAllEnvs();
  });

  test("what a machine remembers and cannot read stops it, and is not taken for a record that a crash cut", () => {
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    const guard = openRollbackGuard("these records", "ab".repeat(32));
    guard.advance({ count: 1, digest: "cd".repeat(32) });
    const kept = join(stateFolder("records", "ab".repeat(32)), "1");
    writeFileSync(kept, "");
    expect(guard.latest()).toEqual({ count: 1, digest: undefined });
    // A folder is unreadable for root, too.
    rmSync(kept);
    mkdirSync(kept);
    expect(() => guard.latest()).toThrow(/1 cannot be read: there this machine remembers/);
    expect(() => {
      guard.adopt({ count: 1, digest: "ef".repeat(32) });
    }).toThrow(/cannot be read/);
    vi.unstubAllEnvs();
  });
});

describe("records that are exchanged under a writer", () => {
  test.each([1, 2, 3])("by an older copy of %i records stop it", (kept) => {
    const folder = filled(kept);
    const copy = join(temporaryFolder(), "copy");
    cpSync(folder, copy, { recursive: true });
    const writer = open(folder);
    writer.append(bytes("more"));
    const lockOf = readFileSync(join(folder, "lock"));
    rmSync(folder, { recursive: true });
    cpSync(copy, folder, { recursive: true });
    writeFileSync(join(folder, "lock"), lockOf);
    expect(() => writer.append(bytes("even more"))).toThrow("it is not the file that this process");
  });

  test("by the same bytes in other files stop it", () => {
    const folder = filled(2);
    const writer = open(folder);
    const copy = join(temporaryFolder(), "copy");
    copyFileSync(recordAt(folder, 2), copy);
    restore(copy, recordAt(folder, 2));
    expect(() => writer.append(bytes("more"))).toThrow("the records were exchanged while it ran");
    writer.close();
  });

  test("by a link to elsewhere are read where they are", () => {
    const folder = filled(1);
    const moved = join(temporaryFolder(), "moved");
    mkdirSync(moved);
    cpSync(folder, moved, { recursive: true });
    const other = join(temporaryFolder(), "linked");
    symlinkSync(moved, other);
    const records = open(other);
    records.append(bytes("record 2"));
    records.close();
    expect(readdirSync(moved)).toHaveLength(2);
  });
});
