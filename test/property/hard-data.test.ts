/**
 * Every method without privacy, with every loss and drawn options, on hard small data: models, scores and certificates are numbers, or an error
 * of the documented kinds says why there are none. Of certificates it is checked that what is met is within the tolerance, no more.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { DataError, OptionError } from "../../src/core/index.js";
import { ALL_METHODS } from "../../src/learning/estimators/all.js";
import { clusterRelationship } from "../../src/learning/estimators/fixed-relationship.js";
import type { FittedModel } from "../../src/learning/index.js";
import type { AnyDeclarations } from "../../src/learning/options/option.js";
import { thorough } from "../thorough.js";
import { hardData, hardShapes } from "./hard-data.js";

const open = ALL_METHODS.filter(({ privacy }) => privacy === null);
const LOSSES = ["squared", "logistic", "softmax"];

const cases = open.flatMap((method) => {
  const words = (method.options as AnyDeclarations)["loss"]!.words ?? [];
  return LOSSES.filter((loss) => words.includes(loss)).map((loss) => [method.name, loss] as const);
});

/** Numbers that a fit shows and that are none. */
function faultsOf(model: FittedModel): string[] {
  const { weights, intercepts, objective, certificate, components } = model;
  const faults: string[] = [];
  if (!weights.every(Number.isFinite)) faults.push("weights");
  if (!(intercepts?.every(Number.isFinite) ?? true)) faults.push("intercepts");
  if (!Number.isFinite(objective)) faults.push(`objective ${objective}`);
  if (certificate && Number.isNaN(certificate.value)) faults.push("certificate");
  if (certificate?.met && !(certificate.value <= certificate.tolerance))
    faults.push(`met at ${certificate.value}`);
  for (const [name, { data }] of Object.entries(components))
    if (!data.every(Number.isFinite)) faults.push(`component ${name}`);
  return faults;
}

test.each(cases)(
  "%s, %s loss",
  async (name, loss) => {
    const method = open.find((one) => one.name === name)!;
    const declared = method.options as AnyDeclarations;
    const settings = fc.record({
      lambda: fc.constantFrom(undefined, 1e-6, 0.1, 10),
      intercept: fc.constantFrom(undefined, true, false),
      lossScale: fc.constantFrom(undefined, "sum"),
    });
    await fc.assert(
      fc.asyncProperty(hardShapes, settings, async (shape, drawn) => {
        const asked = { loss, maxRounds: 300, ...drawn };
        const options: Record<string, unknown> = Object.fromEntries(
          Object.entries(asked).filter(([key, value]) => key in declared && value !== undefined),
        );
        try {
          const tasks = hardData(shape, loss);
          if ("relationship" in declared)
          options["relationship"] = clusterRelationship(tasks.names.map((_, i) => i % 2), 0.5); // prettier-ignore
          const model = await method.make(options).fit(tasks);
          expect(faultsOf(model)).toEqual([]);
          for (const value of Object.values(model.score(tasks)))
            if (typeof value === "number") expect(value).not.toBeNaN();
        } catch (error) {
          if (!(error instanceof DataError || error instanceof OptionError)) throw error;
          const isSolved = !/double precision/.test(error.message);
          expect(isSolved || /^task "t\d": /.test(error.message)).toBe(true);
        }
      }),
      { seed: 12, numRuns: thorough ? 40 : 4 },
    );
  },
  600_000,
);
