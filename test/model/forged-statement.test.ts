/** True statements of which one field is forged, whichever: it is found, or told that nothing bears it out, or it promises no more than before. */
import { expect, test } from "vitest";
import { heldStatement } from "../../src/cli/fitted/held-statement.js";
import { Pipeline } from "../../src/data/index.js";
import { DpAggregation, MpLowRank, MpMixed, selectPrivately, type FittedModel } from "../../src/learning/index.js"; // prettier-ignore
import { modelCard } from "../../src/model/index.js";
import { makeTasks } from "../learning/tasks.js";
import { generator } from "../../bench/uniform-draws.js";
import { thorough } from "../thorough.js";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Path = readonly (string | number)[];

const tasks = makeTasks({ m: 12, d: 2, rows: () => 6 });
const unitRows = Pipeline.fit(tasks, [{ kind: "unit-rows" }]).apply(tasks);
const random = { mode: "seeded", seed: 1 } as const;
const mixed = { epsilon: 2, scale: "unit" } as const;
const models: Record<string, () => Promise<FittedModel>> = {
  task: () => new MpMixed(mixed).fit(tasks),
  seeded: () => new MpMixed({ ...mixed, random }).fit(tasks),
  person: () => new MpMixed({ ...mixed, unit: "record", ownModel: "noisy", rowsPerPerson: 2 }).fit(tasks), // prettier-ignore
  owners: () => new MpMixed({ ...mixed, unit: "both", taskEpsilons: { [tasks.names[1]!]: 0.5 } }).fit(tasks), // prettier-ignore
  pure: () => new MpLowRank({ epsilon: 2, delta: 0, clip: 3 }).fit(unitRows),
  untrusted: () => new MpLowRank({ epsilon: 2, clip: 3, curator: "untrusted", recordEpsilon: 3 }).fit(unitRows), // prettier-ignore
  lifted: () => new DpAggregation({ epsilon: 2 }).fit(unitRows),
  nominal: () => new MpLowRank({ epsilon: 2, clip: 3, mechanism: "wishart" }).fit(unitRows),
  selected: async () => {
    const options = { epsilon: 4, delta: 1e-3, clip: 3, rounds: 2 };
    const candidates = [{ lambda: 1 }, { lambda: 0.1 }];
    return (await selectPrivately(unitRows, { method: "mp-low-rank", options, candidates })).model;
  },
};

const STATEMENTS = ["guarantee", "recordGuarantee", "owners"] as const;

/** Sentences and names, which are compared with nothing, as `account` says; how a choice was made; what the papers would print. */
const SAID_ONLY = ["why", "trust", "scope", "neighbours", "notCovered", "notCharged", "note", "mechanism", "accountant", "selection", "nominal", "fit"]; // prettier-ignore

const WORDS = ["joint", "record", "task", "person", "none", "replace", "zero-out", "secure", "seeded", "curator", "own model", "x"]; // prettier-ignore

/** All fields, however deep; of lists the first two. */
function fieldsOf(value: Json, path: Path = []): Path[] {
  const own = path.length > 0 ? [path] : [];
  if (typeof value !== "object" || value === null) return own;
  const names = Array.isArray(value) ? [...value.keys()].slice(0, 2) : Object.keys(value);
  return [...own, ...names.flatMap((name) => fieldsOf(at(value, [name])!, [...path, name]))];
}

const at = (value: Json, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((of, name) => (of as Record<string, Json>)[name], value);

/** What may stand in the place of a value; undefined: nothing does. */
function forgeriesOf(value: Json): (Json | undefined)[] {
  if (typeof value === "number") {
    return [undefined, null, value / 8, value * 1e-6, 0, -value, 2 * value, String(value), true];
  }
  if (typeof value === "boolean") return [undefined, !value, "yes", 1];
  if (typeof value === "string") return [undefined, ...WORDS.filter((word) => word !== value)];
  if (Array.isArray(value)) return [undefined, [], value.slice(1)];
  return [undefined, null, {}];
}

/** Whether the field says no more than before: left out, no promise, or a larger number. @param hidden what the ledger hides. */
function isWeaker(path: Path, before: Json, after: Json | undefined, hidden: string): boolean {
  const name = path.at(-1);
  if (path.some((part) => SAID_ONLY.includes(String(part)))) return true;
  // Left out these are the strongest that there is, or are read as such.
  if (after === undefined) return !["unit", "against"].includes(String(name)) || ["task", "curator"].includes(String(before)); // prettier-ignore
  if (after === null || (name === "kind" && after === "none")) return true;
  if (name === "noiseSource") return after === "seeded";
  // A promise that was lifted to all rows of a task holds of one.
  if (name === "unit" && after === hidden) return true;
  if (name === "sound" || name === "private") return after === false;
  if (typeof after !== "number" || typeof before !== "number") return false;
  return name === "falsePositiveRate" ? after >= 0 && after <= before : after >= before;
}

test.each(Object.entries(models))("%s", async (_name, make) => {
  const text = JSON.stringify(modelCard(await make()));
  const card = JSON.parse(text) as Record<string, Json>;
  const { unit: hidden } = card["ledger"] as { unit: string };
  const untold = (read: Record<string, Json>) => heldStatement(read).unchecked.join("; ");
  expect(heldStatement(card).problem).toBeUndefined();
  const all = STATEMENTS.flatMap((statement) =>
    card[statement]
      ? fieldsOf(card[statement]).flatMap((path) =>
          forgeriesOf(at(card[statement]!, path)!).map((after) => ({ statement, path, after })),
        )
      : [],
  );
  const { uniform } = generator(5);
  for (const { statement, path, after } of all) {
    if (!thorough && uniform() > 60 / all.length) continue;
    const forged = JSON.parse(text) as Record<string, Json>;
    const parent = at(forged[statement]!, path.slice(0, -1)) as Record<string, Json | undefined>;
    const name = path.at(-1)!;
    const before = parent[name]!;
    // JSON has no such value: it is as if it were not there.
    parent[name] = after;
    const written = JSON.stringify(forged);
    if (written === text || isWeaker(path, before, after, hidden)) continue;
    const read = JSON.parse(written) as Record<string, Json>;
    const isUntold = [statement, ...path].some((part) => untold(read).includes(String(part)));
    const found = heldStatement(read).problem !== undefined || isUntold;
    expect(found, `${statement}.${path.join(".")}: ${JSON.stringify(after)}`).toBe(true);
  }
}, 300_000); // prettier-ignore
