/**
 * Reads what an evaluation wrote, trusting nothing in it.
 * @module
 */
import { METRICS, type MetricFacts } from "../../../learning/fitted/scores/metric-facts.js";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { DataError } from "../../../core/index.js";
import { readBytes } from "../../../node/index.js";
import type { CellResult } from "./cell.js";
import { FORMAT, keyOf, VERSION } from "./results-file.js";

const header = v.object({
  format: v.literal(FORMAT, "not a file of mp-mtl evaluate"),
  version: v.literal(VERSION, `expected version ${VERSION}`),
  configuration: v.record(v.string(), v.unknown()),
});

const finite = v.pipe(v.number(), v.finite());
const score = v.optional(v.nullable(finite));

const numbers = v.array(finite);
const traced = {
  trace: v.optional(
    v.nullable(
      v.object({
        noiseToSignal: v.array(v.nullable(finite)),
        spent: numbers,
      }),
    ),
  ),
  sketch: v.optional(
    v.pipe(
      v.object({ tasks: numbers, features: numbers, values: numbers }),
      v.check(
        ({ tasks, features, values }) => values.length === tasks.length * features.length,
        "expected as many weights as tasks times features",
      ),
    ),
  ),
  taskErrors: v.optional(v.array(v.nullable(finite))),
};

const cell = v.object({
  ...traced,
  own: v.optional(v.boolean()),
  method: v.string(),
  epsilon: v.nullable(v.pipe(v.number(), v.finite(), v.gtValue(0))),
  replicate: v.pipe(v.number(), v.integer(), v.minValue(0)),
  variant: v.optional(v.nullable(finite)),
  scores: v.looseObject({
    ...(Object.fromEntries(METRICS.map(({ name }) => [name, score])) as Record<
      MetricFacts["name"],
      typeof score
    >),
    guessing: v.optional(v.object({ accuracy: v.nullable(finite), logLoss: v.nullable(finite) })),
    tasksLeftOut: v.number(),
  }),
  rowsLeftOut: v.pipe(v.number(), v.integer(), v.minValue(0)),
  taken: v.optional(v.object({ method: v.string(), why: v.string() })),
  chosen: v.record(v.string(), v.unknown()),
  tuning: v.picklist(["none", "cv", "private"]),
  guarantee: v.nullable(
    v.object({
      unit: v.picklist(["task", "record", "person"]),
      adjacency: v.optional(v.picklist(["replace", "zero-out"])),
      epsilon: v.nullable(v.number()),
      delta: v.number(),
      mechanism: v.string(),
      sound: v.boolean(),
      learned: v.optional(v.array(v.string())),
      unseen: v.optional(v.boolean()),
      floats: v.optional(v.boolean()),
    }),
  ),
});

/** The results of an evaluation and what determined them. */
export interface Results {
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly cells: readonly CellResult[];
}

/**
 * Reads `results.jsonl` of a directory.
 * @throws DataError naming the line where the file is absent, damaged, or not an evaluation's.
 */
export async function readResults(directory: string): Promise<Results> {
  const path = join(directory, "results.jsonl");
  if (!existsSync(path)) {
    throw new DataError(`${path} does not exist; name the --out directory of mp-mtl evaluate.`);
  }
  const lines = new TextDecoder().decode(await readBytes(path)).split("\n");
  const torn = lines.pop() !== "";
  if (torn) {
    throw new DataError(
      `${path}, line ${lines.length + 1} is incomplete: the evaluation was stopped while it wrote. ` +
        `Run the same evaluate command again; it goes on where it was.`,
    );
  }
  const parsed = <S extends v.GenericSchema>(schema: S, at: number): v.InferOutput<S> => {
    let value: unknown;
    try {
      value = JSON.parse(lines[at] ?? "");
    } catch {
      // The host's own message would show a piece of the line.
      throw new DataError(`${path}, line ${at + 1} is damaged: not JSON.`);
    }
    const checked = v.safeParse(schema, value);
    if (checked.success) return checked.output;
    const [issue] = checked.issues;
    const place = v.getDotPath(issue) ?? "the line";
    throw new DataError(`${path}, line ${at + 1} is damaged: ${place}: ${issue.message}`);
  };
  const { configuration } = parsed(header, 0);
  const cells = lines.slice(1).map((_, k) => parsed(cell, k + 1) as CellResult);
  if (cells.length === 0) {
    throw new DataError(`${path} holds no finished cell yet; run the evaluate command again.`);
  }
  const seen = new Set<string>();
  cells.forEach((result, k) => {
    const key = keyOf(result);
    if (seen.has(key))
      throw new DataError(`${path}, line ${k + 2} repeats an earlier cell: ${key}.`);
    seen.add(key);
  });
  return { configuration, cells };
}
