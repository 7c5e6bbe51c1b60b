/**
 * Options of pmtl, private-fedavg and private-fedprox.
 * @module
 */
import * as v from "valibot";
import type { FinetuneOptions } from "../learning/index.js";
import type { Sampling } from "../privacy/index.js";
import { choice, either, integer, number, type ValueSchema } from "./values.js";

/** Splits "kind:1:2" into its word and numbers; NaN for what is no number. */
function split(written: string): { kind: string; numbers: number[] } {
  const [kind = "", ...rest] = written.split(":");
  return { kind, numbers: rest.map((text) => (text.trim() === "" ? NaN : Number(text))) };
}

/** all, poisson:RATE or fixed:SIZE. */
function sampling(): ValueSchema<Sampling> {
  const message = "expected all, poisson:RATE with 0 < RATE <= 1, or fixed:SIZE";
  return v.pipe(
    v.string(message),
    v.transform((written): unknown => {
      const { kind, numbers } = split(written);
      if (kind === "all" && numbers.length === 0) return { kind };
      if (numbers.length !== 1) return undefined;
      if (kind === "poisson") return { kind, rate: numbers[0] };
      return kind === "fixed" ? { kind: "fixed-size", size: numbers[0] } : undefined;
    }),
    v.union(
      [
        v.object({ kind: v.literal("all") }),
        v.object({
          kind: v.literal("poisson"),
          rate: v.pipe(v.number(message), v.gtValue(0, message), v.maxValue(1, message)),
        }),
        v.object({
          kind: v.literal("fixed-size"),
          size: v.pipe(v.number(message), v.integer(message), v.minValue(1, message)),
        }),
      ],
      message,
    ),
  );
}

/** KIND[:STEPS[:STRENGTH]]; what is left out keeps the estimator's default. */
function finetuning(): ValueSchema<Partial<FinetuneOptions>> {
  const message =
    "expected vanilla, mean-regularized, symmetrized-kl or ewc, then optionally :STEPS:STRENGTH";
  return v.pipe(
    v.string(message),
    v.transform((written): unknown => {
      const { kind, numbers } = split(written);
      if (numbers.length > 2) return undefined;
      const [steps, strength] = numbers;
      return {
        kind,
        ...(steps === undefined ? {} : { steps }),
        ...(strength === undefined ? {} : { strength }),
      };
    }),
    v.object(
      {
        kind: v.picklist(["vanilla", "mean-regularized", "symmetrized-kl", "ewc"], message),
        steps: v.optional(v.pipe(v.number(message), v.integer(message), v.minValue(1, message))),
        strength: v.optional(v.pipe(v.number(message), v.minValue(0, message))),
      },
      message,
    ),
  ) as ValueSchema<Partial<FinetuneOptions>>;
}

export const federatedOptions = {
  localSteps: {
    value: "E",
    help: "pmtl, private-fed*: local gradient steps a round; default 10; solve: to the minimum.",
    schema: either(choice("solve"), integer({ min: 1 }), "solve or an integer >= 1"),
  },
  batchSize: {
    value: "N",
    help: "pmtl, private-fed*: rows of a local step; default full.",
    schema: either(choice("full"), integer({ min: 1 }), "full or an integer >= 1"),
  },
  sampling: {
    value: "WHO",
    help: "pmtl, private-fed*: all (default), poisson:RATE (zero-out adjacency) or fixed:SIZE.",
    schema: sampling(),
  },
  update: {
    value: "NAME",
    help: "pmtl: from-global (default, corrects earlier noise) or from-local (the paper's text).",
    schema: choice("from-global", "from-local"),
  },
  serverStepSize: {
    value: "X",
    help: "pmtl, private-fed*: factor of the mean update at the curator; default 1.",
    schema: number({ above: 0 }),
  },
  model: {
    value: "NAME",
    help: "pmtl, private-fed*: linear (default) or network, with one hidden layer.",
    schema: choice("linear", "network"),
  },
  hiddenUnits: {
    value: "H",
    help: "Hidden units of the network; default 32.",
    schema: integer({ min: 1 }),
  },
  activation: {
    value: "NAME",
    help: "Nonlinearity of the network: tanh (default) or relu.",
    schema: choice("tanh", "relu"),
  },
  finetune: {
    value: "KIND",
    help:
      "pmtl, private-fed*: vanilla, mean-regularized, symmetrized-kl or ewc, with :STEPS:STRENGTH, " +
      "on each task's own data after the rounds; default none.",
    schema: finetuning(),
  },
} as const;
