/**
 * The directory a model is kept in.
 * @module
 */
import { join } from "node:path";
import { DataError } from "../../core/errors.js";
import type { FittedModel } from "../../learning/index.js";
import { loadModel, modelCard, saveModel } from "../../model/index.js";
import { checkDirectory, readBytes, writeDirectoryAtomically } from "../../node/index.js";
import { text } from "../options/values.js";

/** `--model` of commands that cannot do without one. */
export const modelDirectoryOption = {
  value: "DIR",
  help: "The directory that fit --out wrote.",
  schema: text("a directory name"),
  required: true,
} as const;

/** The model itself, and its card for people. */
export const MODEL_FILES = ["model.safetensors", "model-card.json"] as const;

/** Before a fit, that a model can be written there. */
export const checkModelDirectory = (path: string) => checkDirectory(path, MODEL_FILES);

/** Writes a model and its card, both or neither, for nobody but the user to read. */
export async function writeModelDirectory(path: string, model: FittedModel): Promise<void> {
  const files = {
    [MODEL_FILES[0]]: saveModel(model),
    [MODEL_FILES[1]]: `${JSON.stringify(modelCard(model), null, 2)}\n`,
  };
  await writeDirectoryAtomically(path, files, { secret: true });
}

/** Whether a model can be read there. */
export const holdsModel = (path: string) =>
  readModelDirectory(path).then(
    () => true,
    () => false,
  );

/** Whether a directory holds a model that spent a budget, by its card; a card that cannot be read says nothing. */
export async function holdsPrivateModel(path: string): Promise<boolean> {
  try {
    const card = JSON.parse(
      new TextDecoder().decode(await readBytes(join(path, MODEL_FILES[1]))),
    ) as {
      guarantee?: { private?: unknown };
    } | null;
    return card?.guarantee?.private === true;
  } catch {
    return false;
  }
}

/** Reads the model of a directory. Throws DataError where there is none or it is damaged. */
export async function readModelDirectory(path: string): Promise<FittedModel> {
  const file = join(path, MODEL_FILES[0]);
  const bytes = await readBytes(file).catch((error: unknown) => {
    if (!isNoSuchFile(error)) throw error;
    // In quotes, so that a directory named as an option is, as data, is not taken for its flag.
    throw new DataError(
      `"${path}": expected the directory that fit --out wrote, found no ${MODEL_FILES[0]} in it.`,
      { cause: error },
    );
  });
  return loadModel(bytes);
}

const isNoSuchFile = (error: unknown) =>
  error instanceof Error &&
  ["ENOENT", "ENOTDIR"].includes((error.cause as NodeJS.ErrnoException).code ?? "");
