/**
 * Writing so that a killed or failed run leaves no half-written file: under a temporary name
 * first, then renamed.
 * @module
 */
import { object, text } from "../../core/checks.js";
import { randomBytes } from "node:crypto";
import { open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { OptionError } from "../../core/errors.js";
import { explainWrite } from "./explain-write.js";
import { kindAt, makeDirectory } from "./make-directory.js";
import { requirePlace } from "./require-place.js";
import { syncDirectory } from "./sync-directory.js";

/** What a file will hold: whole, or in pieces that need not lie in memory together. */
export type Content =
  string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>;

/** Who may read what is written. */
export interface WriteOptions {
  /** For the owner of the process only (mode 0600); default false: what the process's mask leaves. */
  readonly secret?: boolean;
}

/** Runs `work`; a path that cannot be written becomes an OptionError that says why. */
async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw explainWrite(path, cause);
  }
}

/** A name beside `path` that no other write uses, of this process or of one that shares the disk from another machine. */
function temporary(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
}

async function writeAndSync(
  path: string,
  content: Content,
  { secret = false }: WriteOptions,
): Promise<void> {
  const file = await open(path, "wx", secret ? 0o600 : 0o666);
  try {
    await writeFile(file, content);
    await file.sync(); // a rename must not overtake the content at a power cut
  } finally {
    await file.close();
  }
}

/**
 * Writes a file; one of that name is replaced. Missing parent directories are made.
 * @throws OptionError saying why the path cannot be written.
 */
export async function writeFileAtomically(
  path: string,
  content: Content,
  options: WriteOptions = {},
): Promise<void> {
  text("path", path);
  const target = resolve(path);
  const part = temporary(target);
  await explained(path, async () => {
    if (kindAt(target) === "directory") {
      throw Object.assign(new Error(), { code: "EISDIR" });
    }
    makeDirectory(dirname(target));
    try {
      await writeAndSync(part, content, options);
      await rename(part, target);
      syncDirectory(target);
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
  text("path", path);
  const target = resolve(path);
  await explained(path, async () => {
    const kind = kindAt(target);
    if (kind !== "file") requirePlace(target);
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
  options: WriteOptions = {},
): Promise<void> {
  text("path", path);
  object("files", files);
  await checkDirectory(path, Object.keys(files));
  const target = resolve(path);
  const part = temporary(target);
  const old = `${part}.old`;
  await explained(path, async () => {
    try {
      makeDirectory(part, options.secret ? 0o700 : 0o777);
      for (const [name, content] of Object.entries(files)) {
        await writeAndSync(join(part, name), content, options);
      }
      const replaced = kindAt(target) === "directory";
      if (replaced) await rename(target, old);
      try {
        await rename(part, target);
      } catch (error) {
        if (replaced) await rename(old, target);
        throw error;
      }
      syncDirectory(target);
      await rm(old, { recursive: true, force: true });
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      throw error;
    }
  });
}
