/** A record that is held for a while: read again until it is wiped, and nothing of it left after. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRunFolder } from "../../../src/node/records/run-folder.js";
import { HeldFile } from "../../../src/node/records/held-file.js";
import { temporaryFolder } from "../../temporary.js";

const record = (text: string) => new TextEncoder().encode(text);

test("what is held is the last record, until it is wiped", () => {
  const folder = temporaryFolder();
  const path = join(folder, "held");
  expect(new HeldFile(path).read()).toBeUndefined();
  new HeldFile(path).write(record("first"));
  new HeldFile(path).write(record("second"));
  expect(new HeldFile(path).read()).toEqual(record("second"));
  expect(readdirSync(folder)).toEqual(["held"]);
  new HeldFile(path).wipe();
  expect(readdirSync(folder)).toEqual([]);
  expect(new HeldFile(path).read()).toBeUndefined();
});

test("what a kill left while it wrote or wiped is no record, and is wiped", () => {
  const folder = temporaryFolder();
  const path = join(folder, "held");
  // Wiped in part: zeros first.
  new HeldFile(path).write(record("secret"));
  const bytes = readFileSync(path);
  bytes.fill(0, 0, 7);
  writeFileSync(path, bytes);
  expect(new HeldFile(path).read()).toBeUndefined();
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, "");
  expect(new HeldFile(path).read()).toBeUndefined();
  expect(existsSync(path)).toBe(false);
  // Written in part, beside a whole one.
  new HeldFile(path).write(record("whole"));
  writeFileSync(`${path}.tmp`, bytes);
  expect(new HeldFile(path).read()).toEqual(record("whole"));
  expect(readdirSync(folder)).toEqual(["held"]);
});

test("a record that was changed is refused", () => {
  const path = join(temporaryFolder(), "held");
  new HeldFile(path).write(record("secret"));
  const bytes = readFileSync(path);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(path, bytes);
  expect(() => new HeldFile(path).read()).toThrow();
});

test("a process whose folder another one took over holds nothing any more, wipes nothing, and learns of it where it only waits", async () => {
  const folder = join(temporaryFolder(), "state");
  const first = openRunFolder(folder, "participant");
  await first.append(record("joined"));
  await first.hold!(record("the first's"));
  await first.confirm!();
  // As if the first ran where it cannot be seen, in another container.
  rmSync(join(folder, "lock"));
  const second = openRunFolder(folder, "participant");
  expect(await second.load()).toEqual([record("joined"), record("the first's")]);
  await second.hold!(record("the second's"));
  for (const late of [record("late"), null]) {
    await expect(first.hold!(late)).rejects.toThrow("another process has taken over");
  }
  // Nor does one wait on that has nothing to write, as a curator that waits for participants has.
  await expect(first.confirm!()).rejects.toThrow("another process has taken over");
  await second.confirm!();
  expect(await second.load()).toEqual([record("joined"), record("the second's")]);
  await first.close();
  await second.close();
});
