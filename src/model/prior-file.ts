/**
 * A shared prior as a file: what a private fit says of tasks in general, for owners who come later.
 * @module
 */
import { DataError } from "../core/errors.js";
import { checkFormat } from "../core/file-format.js";
import { sharedPrior, type SharedPrior } from "../learning/index.js";
import { checkFields, checkPromise, ledgerOf } from "./check-card.js";
import type { ModelCard } from "./card.js";

const FORMAT = { format: "mp-mtl-shared-prior", version: 1 } as const;

/** What a prior has in common with a model's card. */
const FIELDS = [
  "method",
  "loss",
  "lossScale",
  "classes",
  "featureNames",
  "options",
  "guarantee",
  "preprocessing",
  "ledger",
];

/**
 * The prior of a model as JSON. `fitNewTask` takes what `JSON.parse` makes of it.
 * @throws DataError if the model says nothing of tasks that it was not fitted on.
 */
export function priorText(model: SharedPrior): string {
  const prior = sharedPrior(model);
  const components = Object.fromEntries(
    Object.entries(prior.components).map(([name, { shape, data }]) => [
      name,
      { shape, data: Array.from(data) },
    ]),
  );
  return `${JSON.stringify({ ...FORMAT, ...prior, components })}\n`;
}

/**
 * Reads what {@link priorText} wrote, or the JSON of a `sharedPrior`.
 * @param name of the file, for messages.
 * @throws DataError if it is damaged, of another program or a newer format, or its guarantee promises more than its
 *   ledger paid for.
 */
export function readPrior(text: string, name = "prior file"): SharedPrior {
  let found: Partial<ModelCard> | null;
  try {
    found = JSON.parse(text) as Partial<ModelCard> | null;
  } catch {
    // The host's own message would show a piece of the file, which may be weights.
    throw new DataError(`${name}: it is not JSON; is it cut short?`);
  }
  if (typeof found !== "object" || found === null || !("components" in found)) {
    throw new DataError(`${name}: it is no shared prior; expected what summary --prior-out wrote.`);
  }
  if ("format" in found) checkFormat(name, found, FORMAT);
  const card = { classes: null, ...found } as ModelCard;
  checkFields(name, card, FIELDS);
  checkPromise("guarantee", card, ledgerOf("ledger", card, name), name);
  const prior = sharedPrior(found as SharedPrior);
  for (const [component, { shape, data }] of Object.entries(prior.components)) {
    if (shape.reduce((product, size) => product * size, 1) === data.length) continue;
    throw new DataError(`${name}: ${component}: expected numbers of its shape.`);
  }
  return prior;
}
