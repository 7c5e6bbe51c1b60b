/**
 * What comes of a missing first argument, or one of another type: an error of the library's that names it, never one that an
 * engine makes of a field that is not there.
 */
import { describe, expect, test } from "vitest";
import * as everything from "../../src/index.js";
import * as node from "../../src/node/index.js";

/** Classes of methods, which take options. */
const METHOD_CLASSES = Object.entries(everything)
  .filter(([, value]) => typeof value === "function" && typeof value.prototype?.fit === "function")
  .map(([name]) => name);

const GIVEN = [undefined, {}, 3] as const;

/** What V8, and Node's own functions, say of what they were not made for. */
const ENGINE =
  /Cannot (read|destructure|convert|set)|is not (a function|iterable|async iterable|a constructor|defined)|argument must be of type|ERR_/;

/** What comes of each of GIVEN, where it is not a TypeError of all three: the error's class, or "-" for a value. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  // Nothing is asked of the first argument, or only whether it is one of a few.
  "- - -": [
    "initialize",
    "kernelBuild",
    "isPrivateMethod",
    "Pipeline",
    "TableEncoding",
    "TaskMoments",
    "ConvergenceError",
    "DataError",
    "HostError",
    "MpMtlError",
    "OptionError",
    "BudgetExceededError",
    // Called when there is something to do.
    "openWebFitPool",
    "openWebTaskWorkers",
    "openThreadPool",
    "serveTasks",
    "serveJobs",
  ],
  // Options that all have defaults.
  "- - TypeError": METHOD_CLASSES.filter(
    (name) => !["FixedRelationship", "MpFramework"].includes(name),
  ),
  "OptionError OptionError TypeError": ["FixedRelationship", "MpFramework"],
  "- TypeError -": ["openFitPool", "openTaskWorkers"],
  "TypeError TypeError -": ["lambdaGrid"],
  "TypeError - TypeError": ["expectedShare", "errorOf", "whyNoUnseenTasks", "recommendedSchedule"],
  // Words, documents and options have errors of their own.
  "DataError DataError DataError": ["parseSchema", "leafTasks", "parseLeaf", "tableFrom"],
  "TypeError DataError TypeError": ["TaskModel"],
  "RangeError RangeError RangeError": ["noiseNormBound"],
  "TypeError RangeError TypeError": ["simulate", "utilityBound"],
  "OptionError OptionError OptionError": ["audit", "makeEstimator", "lambdaMax"],
  "TypeError OptionError TypeError": ["runFitJob"],
  "OptionError - OptionError": ["expandGrid"],
};

const expectedOf = (name: string) =>
  Object.entries(OTHERS).find(([, names]) => names.includes(name))?.[0] ??
  "TypeError TypeError TypeError";

/** The error's class, or "-" for a value; what a generator or a promise ends with counts. */
async function outcome(value: Callable, given: unknown): Promise<{ is: string; says: string }> {
  try {
    const result: unknown = isClass(value) ? Reflect.construct(value, [given]) : value(given);
    const found = (await result) as Partial<Iterator<unknown> & { close(): void }> | undefined;
    if (typeof found?.next === "function") await found.next();
    found?.close?.();
    return { is: "-", says: "" };
  } catch (error) {
    const { constructor, message } = error as Error;
    return { is: constructor.name, says: message };
  }
}

type Callable = (given: unknown) => unknown;

const isClass = (value: Callable) => Function.prototype.toString.call(value).startsWith("class");

const callables = (module: object) =>
  Object.entries(module).filter(
    (entry): entry is [string, Callable] => typeof entry[1] === "function",
  );

describe.each([
  ["mp-mtl", everything],
  ["mp-mtl/node", node],
])("%s", (_name, module) => {
  test.each(callables(module))("%s", async (name, value) => {
    const found = [];
    for (const given of GIVEN) found.push(await outcome(value, given));
    for (const { says } of found) expect(says).not.toMatch(ENGINE);
    expect(found.map(({ is }) => is).join(" ")).toBe(expectedOf(name));
  });
});
