/**
 * What is fixed and what is searched, method by method, from a JSON file.
 * @module
 */
import * as v from "valibot";
import { OptionError } from "../../core/index.js";
import type { Candidate } from "../../learning/index.js";
import { SELECTABLE } from "../../learning/methods.js";
import type { Ranges } from "../../learning/options/method.js";
import { readJson } from "../words/read-json.js";
import { readBytes } from "../../node/index.js";

/** Options and grid of one method. */
export interface MethodSettings {
  readonly options?: Candidate | undefined;
  /** What is searched instead of the documented ranges. */
  readonly grid?: Ranges | undefined;
}

/** What a settings file says of each method, by its name. */
export type Settings = Readonly<Record<string, MethodSettings>>;

const range = v.strictObject({
  from: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  to: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  points: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
});

const NAMES = SELECTABLE.map(({ name }) => name);

const schema = v.record(
  v.picklist(NAMES, `expected a method: ${NAMES.join(", ")}`),
  v.strictObject({
    options: v.optional(v.record(v.string(), v.unknown())),
    grid: v.optional(
      v.record(
        v.string(),
        v.union(
          [v.pipe(v.array(v.unknown()), v.minLength(1)), range],
          "expected a list of values, or { from, to, points }",
        ),
      ),
    ),
  }),
);

/**
 * Reads `{ "mp-low-rank": { "options": { "clip": 20 }, "grid": { "lambda": [3, 1] } }, … }`.
 * @throws OptionError saying where the file departs from that.
 */
export async function readSettings(path: string): Promise<Settings> {
  let written: unknown;
  try {
    written = readJson(new TextDecoder().decode(await readBytes(path)));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new OptionError(`${path}: ${cause.message}.`, { cause });
  }
  const parsed = v.safeParse(schema, written);
  if (parsed.success) return parsed.output as Settings;
  const [issue] = parsed.issues;
  throw new OptionError(`${path}: ${v.getDotPath(issue) ?? "the document"}: ${issue.message}`);
}
