/**
 * Writing so that a killed or failed run leaves no half-written file: under a temporary name
 * first, then renamed.
 * @module
 */
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { OptionError } from "../core/errors.js";

/** What a file will hold: whole, or in pieces that need not lie in memory together. */
export type Content =
  string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>;

const REASONS: Record<string, string> = {
  EACCES: "permission to write there is denied",
  EPERM: "permission to write there is denied",
  EROFS: "the file system is read-only",
  EISDIR: "this is a directory, expected a file",
  EEXIST: "a file is in the way",
  ENOTDIR: "a part of the path is a file, not a directory",
  ENOENT: "no directory can be made there",
  ENOSPC: "no space is left",
};

/** Runs `work`; a path that cannot be written becomes an OptionError that says why. */
async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ""];
    if (reason === undefined) throw cause;
    throw new OptionError(`${path} cannot be written: ${reason}.`, { cause });
  }
}

/** A name beside `path` that no other process uses. */
function temporary(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}

async function writeAndSync(path: string, content: Content): Promise<void> {
  const file = await open(path, "w");
  try {
    await writeFile(file, content);
    await file.sync(); // a rename must not overtake the content at a power cut
  } finally {
    await file.close();
  }
}

/**
 * Makes a directory and those above it. Not Node's own `recursive`, which never returns where the
 * system says that a directory it just made does not exist (below /proc).
 */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await kindOf(path)) === "directory") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    if ((await kindOf(dirname(path))) === "directory") throw error;
    await makeDirectory(dirname(path));
    await mkdir(path);
  }
}

async function kindOf(path: string): Promise<"file" | "directory" | "nothing"> {
  try {
    return (await stat(path)).isDirectory() ? "directory" : "file";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "nothing";
    throw error;
  }
}

/**
 * Writes a file; one of that name is replaced. Missing parent directories are made.
 * @throws OptionError saying why the path cannot be written.
 */
export async function writeFileAtomically(path: string, content: Content): Promise<void> {
  const target = resolve(path);
  const part = temporary(target);
  await explained(path, async () => {
    if ((await kindOf(target)) === "directory") {
      throw Object.assign(new Error(), { code: "EISDIR" });
    }
    await makeDirectory(dirname(target));
    try {
      await writeAndSync(part, content);
      await rename(part, target);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  });
}

/**
 * Refuses, before any work is done, a directory that could not be written at the end. It may not
 * exist yet, be empty, or hold files of the given names only: those of an earlier run, which
 * will be replaced. Anything else in it might be dear to the user.
 * @throws OptionError saying what is in the way.
 */
export async function checkDirectory(path: string, names: readonly string[]): Promise<void> {
  const target = resolve(path);
  await explained(path, async () => {
    const kind = await kindOf(target);
    if (kind === "nothing") return;
    if (kind === "file") throw Object.assign(new Error(), { code: "EEXIST" });
    if (target === process.cwd()) {
      throw new OptionError(`${path} is the current directory; name a directory to be made.`);
    }
    const other = (await readdir(target)).filter((name) => !names.includes(name));
    if (other.length > 0) {
      throw new OptionError(
        `${path} holds other files (${JSON.stringify(other[0])}${other.length > 1 ? ", …" : ""}); ` +
          `name a new or empty directory.`,
      );
    }
  });
}

/**
 * Writes a directory with these files, all or nothing. One that {@link checkDirectory} allows is
 * replaced as a whole.
 * @throws OptionError saying what is in the way.
 */
export async function writeDirectoryAtomically(
  path: string,
  files: Readonly<Record<string, Content>>,
): Promise<void> {
  await checkDirectory(path, Object.keys(files));
  const target = resolve(path);
  const part = temporary(target);
  const old = `${part}.old`;
  await explained(path, async () => {
    try {
      await makeDirectory(part);
      for (const [name, content] of Object.entries(files)) {
        await writeAndSync(join(part, name), content);
      }
      const replaced = (await kindOf(target)) === "directory";
      if (replaced) await rename(target, old);
      try {
        await rename(part, target);
      } catch (error) {
        if (replaced) await rename(old, target);
        throw error;
      }
      await rm(old, { recursive: true, force: true });
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  });
}
