/**
 * How a budget schedule is written on the command line.
 * @module
 */
import * as v from "valibot";
import type { Schedule } from "../privacy/index.js";
import type { ValueSchema } from "./values.js";

/** constant, polynomial:EXPONENT or geometric:RATIO. */
export function schedule(): ValueSchema<Schedule> {
  const message = "expected constant, polynomial:EXPONENT or geometric:RATIO";
  return v.pipe(
    v.string(message),
    v.transform((written): unknown => {
      const [kind, value] = written.split(":");
      if (kind === "constant" && value === undefined) return { kind };
      const parameter = value === undefined || value.trim() === "" ? NaN : Number(value);
      if (kind === "polynomial") return { kind, exponent: parameter };
      if (kind === "geometric") return { kind, ratio: parameter };
      return undefined;
    }),
    v.union(
      [
        v.object({ kind: v.literal("constant") }),
        v.object({ kind: v.literal("polynomial"), exponent: v.pipe(v.number(), v.finite()) }),
        v.object({ kind: v.literal("geometric"), ratio: v.pipe(v.number(), v.gtValue(0)) }),
      ],
      message,
    ),
  );
}
