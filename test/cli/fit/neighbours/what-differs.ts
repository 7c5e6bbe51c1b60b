/**
 * What of a fit others than the changed task are given or shown, and where it differs between two worlds.
 * @module
 */
import { summarizeTask } from "../../../../src/learning/fitted/summary/task-summary.js";
import type { FittedModel } from "../../../../src/learning/index.js";
import { priorText } from "../../../../src/model/index.js";
import type { World } from "./two-worlds.js";

const bits = (values: Float64Array | null) =>
  values && Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("hex");

/** Whatever a function gives, or the message of its error. */
function given(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return `error: ${(error as Error).message}`;
  }
}

/** Every number of a component but the changed task's. */
function withoutOwn({ shape, data }: FittedModel["components"][string], m: number, at: number) {
  if (shape[0] !== m) return bits(data);
  const part = data.length / m;
  return bits(data.filter((_, k) => Math.floor(k / part) !== at));
}

const spelled = (name: string) => String(Number(name));

/** What the other tasks are given, and what may be published of a model. */
export function seenByOthers(model: FittedModel, changed: string) {
  // A column of numbers has one spelling of each. Of a task without rows there is no model.
  const at = model.taskNames.findIndex((name) => name === changed || name === spelled(changed));
  const others = model.taskNames.flatMap((name, i) => {
    if (i === at) return [];
    const own = model.forTask(name);
    const { weights, intercepts } = own;
    return [
      {
        ...(own.toJSON() as object),
        weights: bits(weights),
        intercepts: bits(intercepts),
        protection: own.protection,
        summary: given(() => summarizeTask(model, i)),
      },
    ];
  });
  const components = Object.fromEntries(
    Object.entries(model.components).map(([name, one]) => [name, withoutOwn(one, model.m, at)]),
  );
  const { guarantee, recordGuarantee, protection, choice, rounds, options, owners } = model;
  const { loss, lossScale, classes, featureNames, history } = model;
  return {
    others,
    components,
    guarantee,
    recordGuarantee,
    protection,
    choice,
    rounds,
    options,
    owners,
    loss,
    lossScale,
    classes,
    featureNames,
    history,
    ledgers: [model.ledger, model.recordLedger].map((ledger) => ledger?.toJSON()),
    prior: given(() => priorText(model)),
  };
}

/** Paths at which two values differ, at most so many. */
export function differences(a: unknown, b: unknown, path = "", most = 8): string[] {
  if (Object.is(a, b)) return [];
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return [path];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const found: string[] = [];
  for (const name of names) {
    if (found.length >= most) break;
    const [one, other] = [a, b].map((value) => (value as Record<string, unknown>)[name]);
    found.push(...differences(one, other, path === "" ? name : `${path}.${name}`, most));
  }
  return found;
}

/** What does not say of itself that it is for the curator only. */
const forAll = (lines: readonly string[]) =>
  lines.filter((line) => !line.endsWith(": for the curator only"));

/** Lines on standard error that do not say so. */
export const warned = ({ err }: World): string[] => forAll(err.split("\n"));

/**
 * The document of --json without what it says is for the curator only, and how many rows there are, which is public. Where nothing is promised
 * nothing but the choice of a method is said to depend on nobody's rows.
 */
export function published(document: World["document"]) {
  const { curatorOnly, samples: _, remarks, ...rest } = { ...document };
  if (!curatorOnly) return { choice: rest["choice"] };
  const left = curatorOnly as readonly string[];
  return {
    remarks: forAll(remarks as string[]),
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !left.includes(name))),
  };
}
