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
    expect(() => loadModel(bytes.slice(0, bytes.length - 9))).toThrow(/do not fill the file/);
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

describe("a model file that was altered is refused by name", () => {
  const saved = (async () => {
    const random = { mode: "seeded", seed: "altered" } as const;
    return saveModel(
      await new MpLowRank({ rounds: 3, clip: 2, intercept: true, random }).fit(tasks),
    );
  })();
  type Json = Record<string, unknown>;

  /** The file with its header changed. */
  async function withHeader(change: (header: Record<string, Json>) => void): Promise<Uint8Array> {
    const bytes = await saved;
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as never;
    change(header);
    const text = new TextEncoder().encode(JSON.stringify(header));
    const whole = new Uint8Array(8 + text.length + bytes.length - 8 - length);
    new DataView(whole.buffer).setBigUint64(0, BigInt(text.length), true);
    whole.set(text, 8);
    whole.set(bytes.subarray(8 + length), 8 + text.length);
    return whole;
  }
  const withCard = (change: (card: Record<string, Json>) => void) =>
    withHeader((header) => {
      const metadata = header["__metadata__"]!;
      const card = JSON.parse(metadata["mp-mtl"] as string) as Record<string, Json>;
      change(card);
      metadata["mp-mtl"] = JSON.stringify(card);
    });
  const refusal = async (bytes: Promise<Uint8Array>) => {
    const file = await bytes;
    try {
      loadModel(file);
    } catch (error) {
      expect(error).toBeInstanceOf(DataError);
      return (error as Error).message;
    }
    return "nothing was refused";
  };

  test.each<[string, (header: Record<string, Json>) => void]>([
    ["expected weights of 4 tasks", (header) => void (header["weights"]!["shape"] = [3, 4])],
    ["does not begin where", (header) => void (header["intercepts"]!["data_offsets"] = [0, 32])],
    ["not as long as its shape", (header) => void (header["weights"]!["shape"] = [-4, -3])],
    ["is not F64", (header) => void (header["weights"] = null as never)],
    ["metadata is not text", (header) => void (header["__metadata__"] = { "mp-mtl": 1 })],
    ["do not fill the file", (header) => void delete header["weights"]],
  ])("%s", async (message, change) => {
    expect(await refusal(withHeader(change))).toMatch(
      new RegExp(`${message}|does not begin where the one before ends`),
    );
  });

  test.each<[string, (card: Record<string, Json>) => void]>([
    ["taskNames: expected", (card) => void (card["taskNames"] = ["a", "a", "b", "c"] as never)],
    ["taskNames: expected", (card) => void (card["taskNames"] = 3 as never)],
    ["loss: expected a loss", (card) => void (card["loss"] = "hinge" as never)],
    ["classes: expected", (card) => void ((card["loss"] as unknown) = "logistic")],
    ["history: expected", (card) => void (card["history"] = null as never)],
    ["guarantee: it promises more", (card) => void (card["guarantee"]!["epsilon"] = 1e-3)],
    ["guarantee: it promises more", (card) => void (card["guarantee"]!["delta"] = 0)],
    ["guarantee: it promises more", (card) => void (card["guarantee"]!["epsilon"] = "0")],
    [
      "ledger: ledger.plan",
      (card) => void ((card["ledger"]!["plan"] as Json[])[0]!["count"] = 3e8),
    ],
    ["ledger: ", (card) => void (card["ledger"]!["epsilon"] = 1e-3)],
  ])("%s (%#)", async (message, change) => {
    expect(await refusal(withCard(change))).toContain(
      `model file: its card is damaged or was altered: ${message}`,
    );
  });

  test("a promise without a ledger", async () => {
    const without = withCard((card) => {
      card["ledger"] = null as never;
      card["guarantee"]!["private"] = true;
    });
    expect(await refusal(without)).toContain("there is no ledger that bears it out");
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
