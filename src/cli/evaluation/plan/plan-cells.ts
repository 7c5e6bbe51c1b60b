/**
 * What an evaluation consists of: the cells that run, and all that their results depend on.
 * @module
 */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { didYouMean, OptionError, VERSION } from "../../../core/index.js";
import { isPrivateMethod, METHOD_NAMES } from "../../../learning/index.js";
import { AUTO, findMethod, methodNamed } from "../../../learning/methods.js";
import { normalizeFor } from "../../tables/normalize.js";
import type { Cell } from "../cells/cell.js";
import { comparedUnasked } from "./compared.js";
import { evaluateOptions, type EvaluateValues } from "./options.js";
import type { Settings } from "../../tuning/settings.js";
import type { Source } from "./source.js";
import { parseSweep, variantData, variantOptions, variantsOf } from "./sweep.js";
import { tuningOf } from "./tuning.js";
import type { PlannedOwn } from "../cells/own-method.js";

/** What decides which methods suit the data. */
export const factsOf = ({ loss, sparse, data }: Pick<Source, "loss" | "sparse" | "data">) => ({
  loss,
  sparse,
  simulated: data.kind === "simulation",
});

/** The methods to compare: those named, or what suits the data. */
export function methodsOf(
  { methods }: EvaluateValues,
  source: Pick<Source, "loss" | "sparse" | "data">,
): readonly string[] {
  if (methods === undefined) return comparedUnasked(factsOf(source));
  return methods;
}

/**
 * Before the data are read, that all methods are known.
 * @throws OptionError naming those that are not, with the nearest that is.
 */
export function requireMethods(methods: readonly string[] = []): void {
  const unknown = methods.filter((method) => !findMethod(method));
  if (unknown.length === 0) return;
  throw new OptionError(
    `--methods: ${unknown.join(", ")} unknown; there are ${AUTO}, ${METHOD_NAMES.join(", ")}.` +
      didYouMean(unknown[0]!, [AUTO, ...METHOD_NAMES]),
  );
}

/** A method as all its cells have it. */
interface Compared extends Pick<Cell, "method" | "normalize" | "tuning" | "options" | "own"> {
  readonly isPrivate: boolean;
}

/** A method of ours: its options and how it is tuned are those of the settings, or its own. */
function compared(method: string, values: EvaluateValues, settings: Settings): Compared {
  const { grid, options = {} } = settings[method] ?? {};
  const { tuning, fixed } = tuningOf(method, grid ?? methodNamed(method).ranges, values);
  const normalize = normalizeFor(values.normalize, method, options);
  const isPrivate = isPrivateMethod(method);
  return { method, isPrivate, normalize, tuning, options: { ...options, ...fixed } };
}

/** A method of somebody's own, which chooses what is to be chosen itself. */
function comparedOwn({ name, isPrivate, url, digest }: PlannedOwn, values: EvaluateValues) {
  const normalize = values.normalize === "rows" ? ("rows" as const) : ("none" as const);
  const tuning = { kind: "none" } as const;
  return { method: name, isPrivate, normalize, tuning, options: {}, own: { url, digest } };
}

/** A cell for every method, budget, variant of the sweep and replicate. */
export function cellsOf(
  values: EvaluateValues,
  settings: Settings,
  source: Source,
  own: readonly PlannedOwn[],
): Cell[] {
  const { seed, adjacency, delta } = values;
  const { loss, data, notCharged } = source;
  const sweep = values.sweep === undefined ? undefined : parseSweep(values.sweep);
  const all: Compared[] = [
    ...methodsOf(values, source).map((method) => compared(method, values, settings)),
    ...own.map((one) => comparedOwn(one, values)),
  ];
  return all.flatMap(({ isPrivate, ...rest }) => {
    const variants = variantsOf(sweep, rest.method);
    return (isPrivate ? values.epsilon : [null]).flatMap((epsilon) =>
      variants.flatMap((variant) =>
        Array.from({ length: values.replicates }, (_, replicate) => ({
          ...rest,
          epsilon,
          replicate,
          seed,
          ...(notCharged.length > 0 ? { notCharged } : {}),
          ...(sweep ? { variant } : {}),
          data: variantData(sweep, variant, data),
          options: {
            loss,
            ...(isPrivate ? { delta, adjacency } : {}),
            ...rest.options,
            ...variantOptions(sweep, variant),
          },
          traced: replicate === 0 && variant === variants[0],
        })),
      ),
    );
  });
}

/** What is written down of a method of somebody's own; another text is another method. */
const ownFacts = ({ name, url, digest, isPrivate }: PlannedOwn) => ({
  name,
  file: basename(fileURLToPath(url)),
  digest,
  isPrivate,
});

/** All that the results depend on, to tell one evaluation from another. */
export function determining(
  values: EvaluateValues,
  settings: Settings,
  source: Source,
  own: readonly PlannedOwn[],
): object {
  const apart = ["out", "workers", "data", "model", "unseen", "own"];
  const kept = Object.keys(evaluateOptions).filter((name) => !apart.includes(name));
  const chosen = Object.fromEntries(
    kept.map((name) => [name, values[name as keyof EvaluateValues] ?? null]),
  );
  const { loss, digest, notes } = source;
  const methods = methodsOf(values, source);
  const resolved = {
    ...chosen,
    loss,
    methods,
    settings,
    release: VERSION,
    ...(own.length > 0 ? { own: own.map(ownFacts) } : {}),
  };
  return digest === undefined ? resolved : { ...resolved, dataDigest: digest, dataNotes: notes };
}
