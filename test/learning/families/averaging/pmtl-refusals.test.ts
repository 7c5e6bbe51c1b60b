import { describe, expect, test } from "vitest";
import { OptionError } from "../../../../src/core/index.js";
import {
  Pmtl,
  PrivateFedAvg,
  PrivateFedProx,
  SingleTask,
  type PmtlOptions,
} from "../../../../src/learning/index.js";
import { loadModel, saveModel } from "../../../../src/model/index.js";
import { lineModel } from "../../line-model.js";
import { makeTasks } from "../../tasks.js";

const seeded = { mode: "seeded", seed: "pmtl" } as const;
const tasks = makeTasks({ m: 10, d: 4, rows: (i) => 3 + (i % 4) });

describe("refusals", () => {
  const refused: [string, Partial<PmtlOptions>, string][] = [
    [
      "Poisson sampling under replace",
      { sampling: { kind: "poisson", rate: 0.2 } },
      'amplification by Poisson sampling is a theorem for adjacency "zero-out" only',
    ],
    [
      "random allocation under replace",
      { sampling: { kind: "allocation", picks: 2 } },
      'amplification by random allocation is a theorem for adjacency "zero-out" only',
    ],
    [
      "more picks than rounds",
      { sampling: { kind: "allocation", picks: 9 }, adjacency: "zero-out", rounds: 8 },
      "sampling.picks: expected at most the number of rounds, 8, got 9",
    ],
    [
      "random allocation at budgets that grow",
      {
        sampling: { kind: "allocation", picks: 2 },
        adjacency: "zero-out",
        schedule: { kind: "polynomial", exponent: 1 },
      },
      "schedule: the rounds of an allocation are accounted at equal budgets only",
    ],
    [
      "Poisson sampling with pure noise",
      { sampling: { kind: "poisson", rate: 0.2 }, adjacency: "zero-out", delta: 0 },
      "Poisson sampling is accounted for Gaussian noise only",
    ],
    [
      "a rate above 1",
      { sampling: { kind: "poisson", rate: 2 } },
      'sampling: expected { kind: "all" }, { kind: "poisson", rate } with 0 < rate <= 1',
    ],
    [
      "a size of 0",
      { sampling: { kind: "fixed-size", size: 0 } },
      'sampling: expected { kind: "all" }',
    ],
    ["no lambda to solve with", { localSteps: "solve", lambda: 0 }, "lambda > 0"],
    ["solving a network", { localSteps: "solve", model: "network" }, 'model "linear"'],
    ["solving on batches", { localSteps: "solve", batchSize: 4 }, "batchSize"],
    [
      "a matrix mechanism",
      { mechanism: "gaussian" },
      "mechanism: expected one of auto, gaussian-mean",
    ],
    [
      "an unknown finetuning",
      { finetune: { kind: "l2" } as never },
      "finetune: expected null, or { kind, steps, stepSize, strength } with kind one of vanilla",
    ],
    ["something that is no model", { model: {} as never }, "expected"],
    [
      "a negative clip",
      { clip: -1 },
      "clip: expected auto or a number from 1e-30 to 1e30 (data that need another want other units), got -1",
    ],
  ];
  test.each(refused)("%s", (_, options, message) => {
    expect(() => new Pmtl(options)).toThrow(OptionError);
    expect(() => new Pmtl(options)).toThrow(message);
  });

  test("FedAvg has no lambda and no update form", () => {
    expect(() => new PrivateFedAvg({ lambda: 1 } as never)).toThrow("lambda: not an option");
    expect(() => new PrivateFedAvg({ localSteps: "solve" })).toThrow("lambda > 0");
    expect(() => new PrivateFedProx({ update: "from-local" } as never)).toThrow("not an option");
  });

  test("what only the data can show is refused at fit, before any release", async () => {
    const many = new Pmtl({ sampling: { kind: "fixed-size", size: 11 } });
    await expect(many.fit(tasks)).rejects.toThrow("at most the number of tasks, 10, got 11");
    const wide = new Pmtl({ model: lineModel(7) });
    await expect(wide.fit(tasks)).rejects.toThrow("model.features: the data and the loss need 4");
    const single = await new SingleTask().fit(tasks);
    await expect(new Pmtl().fit(tasks, { warmStart: single })).rejects.toThrow(/warmStart/);
    const own = await new Pmtl({ model: lineModel(4), random: seeded }).fit(tasks);
    expect(() => loadModel(saveModel(own))).toThrow('own model "line" with 4 parameters; pass it');
    const loaded = loadModel(saveModel(own), { architecture: lineModel(4) });
    expect(loaded.outputs(tasks)).toEqual(own.outputs(tasks));
    expect(() => loadModel(saveModel(own), { architecture: lineModel(5) })).toThrow(/with 5/);
  });
});
