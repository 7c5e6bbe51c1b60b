/**
 * A fit of the command line in two worlds that have the same releases.
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../../../src/cli/run.js";
import { readModelDirectory } from "../../../../src/cli/fitted/model-directory.js";
import { EXIT } from "../../../../src/cli/terminal/exit-code.js";
import { SELECTABLE } from "../../../../src/learning/methods.js";
import type { FittedModel } from "../../../../src/learning/index.js";
import { OwnRelease } from "../../../../src/learning/release/own-release.js";
import type { FitOptions } from "../../../../src/learning/round/estimator.js";
import type { ReleaseJournal } from "../../../../src/learning/round/release-journal.js";
import { Ledger } from "../../../../src/privacy/index.js";
import { testIo } from "../../io.js";
import type { TablePair } from "./random-tables.js";
import { usedByOthers } from "./used-models.js";

/** What was drawn in one fit, for another. */
export interface Kept {
  /** How many releases were made, or taken. */
  readonly used: number;
  /** While `body` runs fits take what is kept, and keep what they draw beyond it. */
  during<T>(body: () => Promise<T>): Promise<T>;
}

type Make = (typeof SELECTABLE)[number]["make"];

/** Charges and releases of a fit, those of tasks for themselves among them; a second one is given them instead of drawing its own. */
export class KeptReleases implements ReleaseJournal, Kept {
  readonly #written = new Map<number, Float64Array>();
  readonly #own: Float64Array[] = [];
  #ledger: Ledger | undefined;
  used = 0;

  openLedger(options: ConstructorParameters<typeof Ledger>[0]): Ledger {
    return (this.#ledger ??= new Ledger(options));
  }

  read(release: number): Float64Array | undefined {
    const found = this.#written.get(release)?.slice();
    if (found) this.used++;
    return found;
  }

  write(release: number, statistic: Float64Array): void {
    this.#written.set(release, statistic.slice());
    this.used++;
  }

  async during<T>(body: () => Promise<T>): Promise<T> {
    const methods = SELECTABLE as readonly { make: Make }[];
    const before = methods.map(({ make }) => make);
    methods.forEach((method, k) => {
      method.make = (options) => {
        const estimator = before[k]!(options);
        const fit = estimator.fit.bind(estimator);
        estimator.fit = (data, hooks: FitOptions = {}) => fit(data, { ...hooks, journal: this });
        return estimator;
      };
    });
    const { draw } = methodsOf(OwnRelease.prototype);
    let own = 0;
    const kept = this.#own;
    OwnRelease.prototype.draw = function (exact) {
      const drawn = draw.call(this, exact);
      return (kept[own++] ??= drawn).slice();
    };
    try {
      return await body();
    } finally {
      methods.forEach((method, k) => (method.make = before[k]!));
      OwnRelease.prototype.draw = draw;
    }
  }
}

const methodsOf = ({ draw }: OwnRelease) => ({ draw });

/** What a fit left. */
export interface World {
  readonly code: number;
  /** What was written to standard error. */
  readonly err: string;
  /** What --json printed, and the model in the directory; undefined where the fit was refused. */
  readonly document: Readonly<Record<string, unknown>> | undefined;
  readonly model: FittedModel | undefined;
  /** Releases that it made, or took. */
  readonly releases: number;
  /** What others make of the models that they are given. */
  readonly used: readonly unknown[];
}

const isDone = (code: number) => code === EXIT.done || code === EXIT.notConverged;

/** One fit of a table. */
async function fitOnce(
  folder: string,
  text: string,
  { schema, flags }: TablePair,
  kept: Kept,
): Promise<World> {
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  writeFileSync(at("data.csv"), text);
  if (schema !== undefined) writeFileSync(at("schema.json"), schema);
  const ranges = schema === undefined ? [] : ["--ranges", at("schema.json")];
  const io = testIo();
  const before = kept.used;
  const table = ["--data", at("data.csv"), ...ranges];
  const args = ["fit", ...table, ...flags, "--out", at("model"), "--json"];
  const code = await kept.during(() => main(args, io));
  return {
    code,
    err: io.err(),
    releases: kept.used - before,
    document: isDone(code) ? (JSON.parse(io.out()) as Record<string, unknown>) : undefined,
    model: isDone(code) ? await readModelDirectory(at("model")) : undefined,
    used: [],
  };
}

/**
 * The fit in both worlds, each going through the releases of a first one in the present world; undefined where that one is refused. In a
 * world of other sizes, or of other columns, releases are other ones: there the fit makes its own.
 * @param keeping makes what keeps a world's releases.
 */
export async function bothWorlds(
  folder: string,
  pair: TablePair,
  keeping: () => Kept = () => new KeptReleases(),
): Promise<{ readonly present: World; readonly neighbour: World } | undefined> {
  const kept = keeping();
  const [text, other] = pair.texts;
  const first = await fitOnce(join(folder, "first"), text, pair, kept);
  if (!first.model) return undefined;
  const own = () => fitOnce(join(folder, "own"), other, pair, keeping());
  if (pair.resized) return { present: first, neighbour: await own() };
  const used = async (world: World, name: string): Promise<World> => {
    const { model } = world;
    return model ? { ...world, used: await usedByOthers(join(folder, name), model, pair) } : world;
  };
  const present = await fitOnce(join(folder, "present"), text, pair, kept);
  const neighbour = await fitOnce(join(folder, "neighbour"), other, pair, kept);
  return {
    present: await used(present, "present"),
    neighbour: OTHER_LENGTH.test(neighbour.err) ? await own() : await used(neighbour, "neighbour"),
  };
}

const OTHER_LENGTH = /release \d+ was charged, but it has another length/;
