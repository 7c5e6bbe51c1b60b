/**
 * What an evaluation consists of: the cells that run, and all that their results depend on.
 * @module
 */
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

export const factsOf = ({ loss, sparse, data }: Pick<Source, "loss" | "sparse" | "data">) => ({
  ...{ loss, sparse, simulated: data.kind === "simulation" },
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

/** A cell for every method, budget, variant of the sweep and replicate. */
export function cellsOf(values: EvaluateValues, settings: Settings, source: Source): Cell[] {
  const { seed, adjacency } = values;
  const { loss, data } = source;
  const sweep = values.sweep === undefined ? undefined : parseSweep(values.sweep);
  const budget = { delta: values.delta, adjacency };
  return methodsOf(values, source).flatMap((method) => {
    const own = settings[method] ?? {};
    const { tuning, fixed } = tuningOf(method, own.grid ?? methodNamed(method).ranges, values);
    const isPrivate = isPrivateMethod(method);
    const normalize = normalizeFor(values.normalize, method, own.options ?? {});
    const variants = variantsOf(sweep, method);
    return (isPrivate ? values.epsilon : [null]).flatMap((epsilon) =>
      variants.flatMap((variant) =>
        Array.from({ length: values.replicates }, (_, replicate) => ({
          ...{ method, epsilon, replicate, seed, normalize, tuning },
          ...(sweep ? { variant } : {}),
          data: variantData(sweep, variant, data),
          options: {
            ...{ loss, ...(isPrivate ? budget : {}), ...own.options, ...fixed },
            ...variantOptions(sweep, variant),
          },
          traced: replicate === 0 && variant === variants[0],
        })),
      ),
    );
  });
}

/** All that the results depend on, to tell one evaluation from another. */
export function determining(values: EvaluateValues, settings: Settings, source: Source): object {
  const apart = ["out", "workers", "data", "model", "unseen"];
  const kept = Object.keys(evaluateOptions).filter((name) => !apart.includes(name));
  const chosen = Object.fromEntries(
    kept.map((name) => [name, values[name as keyof EvaluateValues] ?? null]),
  );
  const { loss, digest, notes } = source;
  const methods = methodsOf(values, source);
  const resolved = { ...chosen, loss, methods, settings, release: VERSION };
  return digest === undefined ? resolved : { ...resolved, dataDigest: digest, dataNotes: notes };
}
