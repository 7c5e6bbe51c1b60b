import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataError, VERSION } from "../../src/core/index.js";
import { MpLowRank, SingleTask } from "../../src/learning/index.js";
import { loadModel, saveModel } from "../../src/model/index.js";
import { decodeSafetensors, encodeSafetensors } from "../../src/model/safetensors.js";
import { makeLabelled, makeTasks } from "../learning/tasks.js";
import packageJson from "../../package.json" with { type: "json" };

const tasks = makeTasks({ m: 4, d: 3, rows: () => 6 });

describe("saveModel and loadModel", () => {
  test("give the same predictions, guarantee and ledger back", async () => {
    const model = await new MpLowRank({ rounds: 3, clip: 2, intercept: true }).fit(tasks);
    const loaded = loadModel(saveModel(model));
    const rows = tasks.task("task-1").x;
    expect(loaded.predict("task-1", rows)).toEqual(model.predict("task-1", rows));
    expect(loaded.intercepts).toEqual(model.intercepts);
    expect(loaded.guarantee).toEqual(model.guarantee);
    expect(loaded.ledger!.entries).toEqual(model.ledger!.entries);
    expect(loaded.history).toEqual(model.history);
    expect(loaded.figures).toEqual(model.figures);
    expect(saveModel(loaded)).toEqual(saveModel(model));
  });

  test("keep a classifier's labels", async () => {
    const labelled = makeLabelled({ m: 2, d: 3, rows: () => 10 });
    const model = await new SingleTask({ loss: "logistic" }).fit(labelled);
    const loaded = loadModel(saveModel(model));
    expect(loaded.classes).toEqual(["no", "yes"]);
    expect(loaded.score(labelled)).toEqual(model.score(labelled));
  });

  test("never write a seed", async () => {
    const random = { mode: "seeded", seed: "very-secret-seed" } as const;
    const model = await new MpLowRank({ rounds: 2, clip: 2, random }).fit(tasks);
    expect(new TextDecoder("latin1").decode(saveModel(model))).not.toContain("very-secret");
  });

  test("refuse damaged files and newer formats, saying so", async () => {
    const bytes = saveModel(await new SingleTask().fit(tasks));
    expect(() => loadModel(bytes.slice(0, 4))).toThrow(DataError);
    expect(() => loadModel(bytes.slice(0, bytes.length - 9))).toThrow(/does not fit the file/);
    const { tensors, metadata } = decodeSafetensors(bytes);
    const card = JSON.parse(metadata["mp-mtl"]!) as Record<string, unknown>;
    const newer = { "mp-mtl": JSON.stringify({ ...card, version: 99 }) };
    expect(() => loadModel(encodeSafetensors({ tensors, metadata: newer }))).toThrow(/version 99/);
    const foreign = { "mp-mtl": JSON.stringify({ ...card, format: "other" }) };
    expect(() => loadModel(encodeSafetensors({ tensors, metadata: foreign }))).toThrow(
      "model file: expected the format mp-mtl-model",
    );
    expect(() => loadModel(encodeSafetensors({ tensors, metadata: {} }))).toThrow(
      /no mp-mtl model/,
    );
  });
});

test("safetensors: what is encoded is decoded, bit for bit", () => {
  const tensor = fc
    .array(fc.double(), { maxLength: 20 })
    .map((values) => ({ shape: [values.length], data: Float64Array.from(values) }));
  const names = fc.string({ minLength: 1 }).filter((name) => !name.startsWith("__"));
  fc.assert(
    fc.property(fc.dictionary(names, tensor), fc.string(), (tensors, text) => {
      const decoded = decodeSafetensors(encodeSafetensors({ tensors, metadata: { text } }));
      expect(decoded.metadata).toEqual({ text });
      expect(decoded.tensors).toEqual(tensors);
    }),
  );
});

test("safetensors: the data starts at a multiple of 8 bytes", () => {
  const bytes = encodeSafetensors({
    tensors: { w: { shape: [1], data: Float64Array.of(1) } },
    metadata: { note: "é" },
  });
  expect((bytes.length - 8) % 8).toBe(0);
  expect(new DataView(bytes.buffer).getFloat64(bytes.length - 8, true)).toBe(1);
});

test("the version is the package's", () => {
  expect(VERSION).toBe(packageJson.version);
});
