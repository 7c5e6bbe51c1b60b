/** A directory that several processes make at once. */
import type * as NodeFs from "node:fs";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { makeDirectory } from "../../../src/node/files/make-directory.js";
import { temporaryFolder } from "../../temporary.js";

/** What another process does after a directory could not be made. */
let meanwhile: ((path: string) => void) | undefined;

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof NodeFs>();
  const mkdir = (path: string, options: object) => {
    try {
      return fs.mkdirSync(path, options);
    } catch (error) {
      if (!("recursive" in options)) meanwhile?.(path);
      throw error;
    }
  };
  return { ...fs, mkdirSync: mkdir };
});

beforeEach(() => (meanwhile = undefined));

test("is there in the end, whatever of it another process makes meanwhile", () => {
  for (const made of ["", "..", "../.."]) {
    const path = join(temporaryFolder(), "a", "b", "c");
    meanwhile = (failed) => mkdirSync(join(failed, made), { recursive: true });
    makeDirectory(path);
    expect(statSync(path).isDirectory(), made).toBe(true);
  }
});

test("a file in the way is said, and so is a place where nothing can be made", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  expect(() => makeDirectory(join(folder, "file"))).toThrow("EEXIST");
  expect(() => makeDirectory(join(folder, "file", "below"))).toThrow("ENOTDIR");
  if (existsSync("/proc")) expect(() => makeDirectory("/proc/none/below")).toThrow("ENOENT");
});
