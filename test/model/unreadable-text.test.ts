/** Text that is no JSON: what the error shows, its causes included, is nothing of the text. */
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readJson } from "../../src/cli/words/read-json.js";
import { loadModel, readPrior } from "../../src/model/index.js";
import { encodeSafetensors } from "../../src/model/safetensors.js";
import { DurableLedger } from "../../src/privacy/index.js";

const SECRET = "0.8251749";
const text = `{"a":[${SECRET},${SECRET} ${SECRET}]}`;

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "a prior": (text) => readPrior(text),
  "a model's card": (text) =>
    loadModel(encodeSafetensors({ tensors: {}, metadata: { "mp-mtl": text } })),
  "a log of charges": (text) => DurableLedger.recover(`${text}\n`, () => undefined),
  "what a person wrote": (text) => readJson(text),
};

test.each(Object.entries(READERS))("%s", (_, read) => {
  let error: unknown;
  try {
    read(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(Error);
  expect(inspect(error)).toMatch(/JSON|damaged/);
  expect(inspect(error)).not.toContain(SECRET.slice(2));
});
