/** What an estimator was made with is what it fits with, and what its guarantee is about: nothing of it can be changed afterwards. */
import { expect, test } from "vitest";
import { MpMixed, Pmtl, PrivateFedAvg } from "../../../src/learning/index.js";
import { makeTasks } from "../tasks.js";

type Open = Record<string, Record<string, unknown>>;

test("options, and what they are made of, are frozen", () => {
  const { options } = new PrivateFedAvg({
    adjacency: "zero-out",
    sampling: { kind: "poisson", rate: 0.1 },
    schedule: { kind: "polynomial", exponent: 1 },
  });
  const open = options as unknown as Open;
  expect(() => (open["random"]!["mode"] = "seeded")).toThrow(TypeError);
  expect(() => (open["sampling"]!["rate"] = 1)).toThrow(TypeError);
  expect(() => (open["schedule"]!["exponent"] = -1)).toThrow(TypeError);
  expect(() => (open["clip"] = {})).toThrow(TypeError);
});

test("those of one estimator are not another's", () => {
  const first = new Pmtl().options as unknown as Open;
  expect(() => Object.assign(first["random"]!, { mode: "seeded", seed: 1 })).toThrow(TypeError);
  expect(new Pmtl().options.random).toEqual({ mode: "secure" });
});

test("noise of tasks' own models is of the source that the guarantee names", async () => {
  const estimator = new MpMixed({ unit: "record", ownModel: "noisy", scale: "unit" });
  const change = () =>
    Reflect.set(estimator.options.random, "mode", "seeded") &&
    Reflect.set(estimator.options.random, "seed", "known");
  let changed = false;
  const model = await estimator.fit(makeTasks({ m: 12, d: 2, rows: () => 6 }), {
    onRound: () => (changed ||= change()),
  });
  expect(model.recordGuarantee!.private).toBe(true);
  expect(changed).toBe(false);
});
