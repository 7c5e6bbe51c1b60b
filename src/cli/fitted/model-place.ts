/**
 * The directory that a command's model will be written to, held from before anything is spent until the model is there.
 *
 * A lock refuses a second command at its start. Where it could not (the first was taken for dead, or runs on another machine), no model
 * is written over one that came meanwhile: it goes beside it.
 * @module
 */
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { FittedModel } from "../../learning/index.js";
import { fileTrace } from "../../node/files/file-trace.js";
import { lockFile, type Lock } from "../../node/records/lock-file.js";
import { kindAt } from "../../node/files/make-directory.js";
import { checkModelDirectory, MODEL_FILES, writeModelDirectory } from "./model-directory.js";

/** Beside the directory, which is replaced as a whole; beside those above it that are still to be made. */
function lockOf(target: string): string {
  let folder = dirname(target);
  while (kindAt(folder) === "nothing" && dirname(folder) !== folder) folder = dirname(folder);
  const name = relative(folder, target).replaceAll(sep, "-");
  return join(folder, `.${name}.mp-mtl.lock`);
}

/** What shows that no other model was put there; nothing where one cannot look, which writing will say better. */
function traceOf(target: string): string | undefined {
  try {
    return fileTrace(join(target, MODEL_FILES[0]));
  } catch {
    return undefined;
  }
}

/** The first of `model-2`, `model-3`, … that is not there. */
function beside(path: string): string {
  const from = join(dirname(path), basename(path));
  let number = 2;
  while (kindAt(`${from}-${number}`) !== "nothing") number++;
  return `${from}-${number}`;
}

/** A place for one model. */
export class ModelPlace {
  readonly #path: string;
  readonly #lock: Lock;
  #found: string | undefined;

  private constructor(path: string, lock: Lock, found: string | undefined) {
    this.#path = path;
    this.#lock = lock;
    this.#found = found;
  }

  /**
   * @param path as the user gave it.
   * @throws OptionError saying why no model can be written there; DataError if another command is about to.
   */
  static async hold(path: string): Promise<ModelPlace> {
    await checkModelDirectory(path);
    const target = resolve(path);
    const lock = lockFile(
      lockOf(target),
      `a fit under way whose model goes to ${path}; name another --out`,
      {
        otherwise: "whichever ends last writes its model beside the other one",
      },
    );
    return new ModelPlace(path, lock, traceOf(target));
  }

  /** Whether another model came, or another command has the place. */
  #isTaken(): boolean {
    try {
      this.#lock.check();
    } catch {
      return true;
    }
    return traceOf(resolve(this.#path)) !== this.#found;
  }

  /**
   * Writes the model, and its card, where they were to go; or beside, if another model came there meanwhile.
   * @param tell takes a sentence that says so.
   * @returns the directory it was written to.
   */
  async write(model: FittedModel, tell: (warning: string) => void): Promise<string> {
    const taken = this.#isTaken();
    const path = taken ? beside(this.#path) : this.#path;
    await writeModelDirectory(path, model);
    if (!taken) this.#found = traceOf(resolve(path));
    if (taken) {
      tell(
        `another command wrote to ${this.#path} meanwhile, or is about to: what it has is kept, and this model is in ${path}`,
      );
    }
    return path;
  }

  /** Lets other commands have it. */
  close(): void {
    this.#lock.release();
  }
}

/** Runs `work` with the place of a model, if one is to be written, held for as long. */
export async function holdingPlace<T>(
  path: string | undefined,
  work: (place: ModelPlace | undefined) => Promise<T>,
): Promise<T> {
  const place = path === undefined ? undefined : await ModelPlace.hold(path);
  try {
    return await work(place);
  } finally {
    place?.close();
  }
}
