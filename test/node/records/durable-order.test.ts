/** What a power cut must not undo: the order in which files are written, synced, named and closed. */
import type * as Fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { openRecordFolder } from "../../../src/node/records/record-folder.js";
import {
  writeDirectoryAtomically,
  writeFileAtomically,
} from "../../../src/node/files/write-atomically.js";
import { stateFolder } from "../../../src/node/records/state-folder.js";
import { temporaryFolder } from "../../temporary.js";

const { steps, disk } = vi.hoisted(() => ({
  steps: [] as [what: string, path: string][],
  disk: { readOnly: false, linkError: "" },
}));

vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof Fs>();
  const paths = new Map<number, string>();
  const openSync = (...args: Parameters<typeof fs.openSync>) => {
    if (disk.readOnly && args[1] === "wx") throw Object.assign(new Error(), { code: "EROFS" });
    const file = fs.openSync(...args);
    paths.set(file, String(args[0]));
    return file;
  };
  const seen = (what: string, path: string) => steps.push([what, path]);
  const writeSync = (file: number, bytes: Uint8Array, from: number) => {
    seen("write", paths.get(file)!);
    // As a system may: only a part of what was asked for.
    return fs.writeSync(file, bytes, from, Math.min(60, bytes.length - from));
  };
  const fsyncSync = (file: number) => {
    seen("sync", paths.get(file)!);
    fs.fsyncSync(file);
  };
  const closeSync = (file: number) => {
    seen("close", paths.get(file)!);
    fs.closeSync(file);
  };
  const linkSync = (from: string, to: string) => {
    seen("name", to);
    if (disk.linkError !== "" && to.endsWith(".record"))
      throw Object.assign(new Error(), { code: disk.linkError });
    fs.linkSync(from, to);
  };
  return { ...fs, openSync, writeSync, fsyncSync, closeSync, linkSync };
});

vi.mock("node:fs/promises", async (importOriginal) => {
  const fs = await importOriginal<typeof Fs.promises>();
  const open = async (...args: Parameters<typeof fs.open>) => {
    const file = await fs.open(...args);
    const path = String(args[0]);
    const [ownSync, ownClose] = [file.sync.bind(file), file.close.bind(file)];
    const sync = () => {
      steps.push(["sync", path]);
      return ownSync();
    };
    const close = () => {
      steps.push(["close", path]);
      return ownClose();
    };
    return Object.assign(file, { sync, close });
  };
  const rename = async (from: string, to: string) => {
    steps.push(["name", to]);
    await fs.rename(from, to);
  };
  return { ...fs, open, rename };
});

beforeEach(() => {
  steps.length = 0;
});

/** Folders' entries are not synced on Windows. */
const folderSynced = (folder: string): [string, string][] =>
  process.platform === "win32" ? [] : [["sync", folder], ["close", folder]]; // prettier-ignore

test("a record is whole and synced before it has its number, and the number before it returns", () => {
  const folder = join(temporaryFolder(), "records");
  const records = openRecordFolder(folder, "it");
  steps.length = 0;
  records.append(new Uint8Array(100).fill(7));
  // Last of all, before it returns, the machine remembers the record.
  const names = steps.filter(([what]) => what === "name").map(([, path]) => path);
  expect(names).toEqual([
    join(folder, "000001.record"),
    expect.stringContaining(stateFolder("records")),
  ]);
  steps.splice(0, Infinity, ...steps.filter(([, path]) => path.startsWith(dirname(folder))));
  const [part] = steps.map(([, path]) => path);
  const writes = steps.filter(([what]) => what === "write").length;
  expect(writes).toBeGreaterThan(1);
  expect(steps).toEqual([
    ...new Array<[string, string]>(writes).fill(["write", part!]),
    ["sync", part],
    ["close", part],
    ["name", join(folder, "000001.record")],
    ...folderSynced(folder),
  ]);
  records.close();
  expect(openRecordFolder(folder, "it").read()).toEqual([new Uint8Array(100).fill(7)]);
});

test("a disk that turns read-only is named, and nothing follows", () => {
  const folder = join(temporaryFolder(), "records");
  const records = openRecordFolder(folder, "it");
  disk.readOnly = true;
  expect(() => records.append(Uint8Array.of(1))).toThrow(/000001.record cannot be written: /);
  disk.readOnly = false;
  expect(() => records.append(Uint8Array.of(1))).toThrow("an earlier record could not be written");
  records.close();
  expect(openRecordFolder(folder, "it").read()).toEqual([]);
});

test.each([
  ["EROFS", /000001.record cannot be written: /],
  ["ENOSPC", /000001.record cannot be written: /],
  ["EPERM", /its file system has no hard links/],
  ["EEXIST", /record 1 is another process's/],
])("a record that cannot have its number (%s) is none, and it is said why", (code, words) => {
  const folder = join(temporaryFolder(), "records");
  const records = openRecordFolder(folder, "it");
  disk.linkError = code;
  expect(() => records.append(Uint8Array.of(1))).toThrow(words);
  disk.linkError = "";
  records.close();
  expect(openRecordFolder(folder, "it").read()).toEqual([]);
});

test("a file is synced before it has its name, and the name before it returns", async () => {
  const folder = temporaryFolder();
  await writeFileAtomically(join(folder, "a.txt"), "content");
  const part = steps[0]?.[1];
  expect(part).toMatch(/\.a\.txt\.[0-9a-f]{12}\.tmp$/);
  const named = ["name", join(folder, "a.txt")];
  expect(steps).toEqual([["sync", part], ["close", part], named, ...folderSynced(folder)]);
});

test("every file of a directory is synced before the directory has its name", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "model");
  await writeDirectoryAtomically(path, { a: "1", b: "2" });
  const part = dirname(steps.find(([, at]) => basename(at) === "a")![1]);
  expect(part).toMatch(/\.model\.[0-9a-f]{12}\.tmp$/);
  expect(steps).toEqual([
    ...folderSynced(folder),
    ...["a", "b"].flatMap((name) => [
      ["sync", join(part, name)],
      ["close", join(part, name)],
    ]),
    ["name", path],
    ...folderSynced(folder),
  ]);
});
