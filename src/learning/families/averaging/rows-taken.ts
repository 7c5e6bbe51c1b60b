/**
 * Which rows PMTL, FedAvg and FedProx take.
 * @module
 */
import type { RowsTaken } from "../../options/rows-taken.js";
import type { FederatedOptions } from "./options.js";

export function averagingTakes({ model, finetune }: FederatedOptions): RowsTaken {
  if (model !== "linear") {
    const why = 'only the linear model does (model: "linear")';
    return { weights: why, sparse: why };
  }
  const counts = finetune?.kind === "ewc" || finetune?.kind === "symmetrized-kl";
  return {
    weights: counts ? `finetuning of the kind ${finetune.kind} counts every row as one` : true,
    sparse: true,
  };
}
