/**
 * How long a walk of ARCHITECTURE.md is. Whenever something is done with the value that the walk follows, the functions of
 * `src/` that are open then, each called by the next, and the files they are in, are added to it. Who is asked something on
 * the way and answers is not on it, unless the walk says that what was asked is done with the value.
 */
import { relative } from "node:path";
import { root } from "../package/packed.js";

/** A function of ours, by its file and name. */
export interface Place {
  readonly file: string;
  readonly name: string;
}

/** A line of a stack: who, and in which file; an anonymous function has no name. */
const LINE = /^at (?:async )?(?:(.*?) \()?(?:file:\/\/)?([^ ()]*?\.ts)(?:\?[^:]*)?:\d+:\d+\)?$/;

/** The functions of `src/` that are open now, the innermost first, those that wait for a promise among them. */
function openFunctions(): Place[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Infinity;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  return stack.split("\n").flatMap((line) => {
    const found = LINE.exec(line.trim());
    if (!found) return [];
    const file = relative(root, found[2]!).replaceAll("\\", "/");
    return file.startsWith("src/") ? [{ file, name: found[1] ?? "a function" }] : [];
  });
}

/** What a walk is of. */
export interface WalkOptions {
  /** What is done with the value, by name. */
  readonly acts: RegExp;
  /** Where it begins: who calls the outermost function of such a file is not on the walk. */
  readonly from: RegExp;
  /** Files that count; default all of `src/`. */
  readonly within?: RegExp;
}

/** A walk that is gone. */
export class Walk {
  readonly #options: WalkOptions;
  readonly #places = new Set<string>();
  /** What was done with the value, and how often. */
  readonly done = new Map<string, number>();

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  /** @param by who does it, where that is not one of the open functions. */
  act(what: string, by?: Place): void {
    const { acts, from, within = /^src\// } = this.#options;
    if (!acts.test(what)) return;
    const open = [...(by ? [by] : []), ...openFunctions()];
    const ours = open.slice(0, open.findLastIndex(({ file }) => from.test(file)) + 1);
    if (ours.length === 0) return;
    this.done.set(what, (this.done.get(what) ?? 0) + 1);
    for (const { file, name } of ours) if (within.test(file)) this.#places.add(`${file} ${name}`);
  }

  /** In the order of their names, without `src/`. */
  get files(): string[] {
    const files = [...this.#places].map((place) => place.split(" ")[0]!.slice("src/".length));
    return [...new Set(files)].sort();
  }

  get functions(): number {
    return this.#places.size;
  }
}
