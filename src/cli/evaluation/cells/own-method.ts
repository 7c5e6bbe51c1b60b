/**
 * A method of somebody's own, in a module that they wrote, to stand beside ours in an evaluation.
 * @module
 */
import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { OptionError } from "../../../core/index.js";
import { kindOf } from "../../../core/messages/kind-of.js";
import type { TaskSet } from "../../../data/index.js";
import type { LossName } from "../../../learning/index.js";
import { findMethod } from "../../../learning/methods.js";
import { readBytes } from "../../../node/index.js";
import type { Adjacency, DeltaChoice } from "../../../privacy/index.js";

/** What a fit of such a method is told beside its training rows. */
export interface OwnSetting {
  readonly loss: LossName;
  /** A text that is another for every budget and replicate; what is drawn from it is drawn again by the same command. */
  readonly seed: string;
  /** The budget, of a method with `private: true`; else they are left out. */
  readonly epsilon?: number;
  readonly delta?: DeltaChoice;
  readonly adjacency?: Adjacency;
}

/** What a fit gives: a fitted model of this library is one. */
export interface OwnModel {
  /**
   * For every row of the tasks: the prediction, [N]; of two labels the log-odds of the later one in ascending order, [N];
   * of C labels a logit for each, [N, C] row by row.
   */
  outputs(tasks: TaskSet): Float64Array | Promise<Float64Array>;
}

/** The default export of the module. */
export interface OwnMethod {
  /** What it is called in tables. */
  readonly name: string;
  /** Whether it spends a budget and runs once for each; default false. */
  readonly private?: boolean;
  fit(train: TaskSet, setting: OwnSetting): OwnModel | Promise<OwnModel>;
}

/** Where such a method stands, as a thread is told. */
export interface OwnFile {
  /** The module's address. */
  readonly url: string;
  /** sha256 of its text. What it imports is not told apart. */
  readonly digest: string;
}

/** A method of somebody's own as an evaluation plans it. */
export interface PlannedOwn extends OwnFile {
  readonly name: string;
  readonly isPrivate: boolean;
}

/** Names that a table, and a line of results, can show. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

async function digestOf(url: string): Promise<string> {
  const text = await readBytes(fileURLToPath(url));
  return createHash("sha256").update(text).digest("hex");
}

/** @throws OptionError naming the file and what its default export lacks. */
function requireMethod(file: string, exported: unknown): OwnMethod {
  const refuse = (problem: string) => new OptionError(`--own ${file}: ${problem}.`);
  if (typeof exported !== "object" || exported === null) {
    throw refuse(
      `expected a default export { name, fit }, got ${kindOf(exported)}; write export default { name: "mine", fit(train, setting) { … } }`,
    );
  }
  const { name, fit, private: spends = false } = exported as Partial<OwnMethod>;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw refuse("name: expected up to 40 letters, digits, dots and dashes");
  }
  if (findMethod(name)) throw refuse(`name: ${name} is a method of mp-mtl; choose another`);
  if (typeof fit !== "function") throw refuse(`fit: expected a function, got ${kindOf(fit)}`);
  if (typeof spends !== "boolean") {
    throw refuse(`private: expected true or false, got ${kindOf(spends)}`);
  }
  return exported as OwnMethod;
}

/**
 * The method in a file, as the evaluation was planned with it.
 * @throws OptionError if the module cannot be loaded, exports something else, or is another than planned.
 */
export async function loadOwn({ url, digest }: OwnFile): Promise<OwnMethod> {
  const file = basename(fileURLToPath(url));
  if ((await digestOf(url)) !== digest) {
    throw new OptionError(
      `--own ${file}: the file has changed since the evaluation began; run it again with another --out.`,
    );
  }
  let module: { default?: unknown };
  try {
    module = (await import(url)) as { default?: unknown };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new OptionError(`--own ${file}: it cannot be loaded: ${message}`, { cause });
  }
  return requireMethod(file, module.default);
}

/**
 * The methods in these files, in their order.
 * @throws OptionError where a file is no such method, or two have one name; DataError where it cannot be read.
 */
export async function planOwn(files: readonly string[] = []): Promise<PlannedOwn[]> {
  const planned: PlannedOwn[] = [];
  for (const path of files) {
    const url = pathToFileURL(resolve(path)).href;
    const file = { url, digest: await digestOf(url) };
    const { name, private: isPrivate = false } = await loadOwn(file);
    if (planned.some((other) => other.name === name)) {
      throw new OptionError(`--own: two files name their method ${name}; rename one.`);
    }
    planned.push({ ...file, name, isPrivate });
  }
  return planned;
}
