/** Lengths, and factors of lengths, that cannot be meant are refused by name: they would be obeyed with models that nobody can use. */
import { expect, test } from "vitest";
import { methodNamed } from "../../../src/learning/methods.js";

const OF = {
  pmtl: ["clip", "serverStepSize", "recordClip"],
  "private-fedavg": ["clip", "serverStepSize"],
  "joint-dp-sgd": ["clip", "stepSize"],
  ppsgd: ["clip", "stepSize"],
  "mp-low-rank": ["clip"],
  "mp-feature-learning": ["clip"],
  "dp-aggregation": ["slopeBound"],
};

const RANGE = "a number from 1e-30 to 1e30 \\(data that need another want other units\\)";

test.each(
  Object.entries(OF).flatMap(([method, names]) => names.map((name) => [method, name] as const)),
)("%s: %s", (method, name) => {
  const make = (value: number) => methodNamed(method).make({ loss: "squared", [name]: value });
  for (const value of [1e150, 1e-150])
    expect(() => make(value)).toThrow(
      new RegExp(`${name}: expected .*${RANGE}, got ${String(value).replace("+", "\\+")}`),
    );
  for (const value of [1e30, 1e-30, 3]) expect(() => make(value)).not.toThrow();
});
