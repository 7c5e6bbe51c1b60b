/**
 * Which rows PMTL, FedAvg and FedProx take.
 * @module
 */
import {
  RECORDS_OF_ONE_WEIGHT,
  rowsOfPrecision,
  type RowsTaken,
} from "../../options/rows-taken.js";
import type { FederatedOptions } from "./options.js";
import type { RecordOptions } from "./records/record-options.js";

export function averagingTakes({
  model,
  finetune,
  unit = "task",
  rowPrecision,
}: FederatedOptions & Partial<Pick<RecordOptions, "unit">>): RowsTaken {
  if (unit !== "task") {
    return {
      weights: RECORDS_OF_ONE_WEIGHT,
      sparse: "every row's gradient is formed of dense rows",
    };
  }
  if (model !== "linear") {
    const why = 'only the linear model does (model: "linear")';
    return { weights: why, sparse: why };
  }
  const counts = finetune?.kind === "ewc" || finetune?.kind === "symmetrized-kl";
  return {
    weights: counts ? `finetuning of the kind ${finetune.kind} counts every row as one` : true,
    sparse: rowsOfPrecision({ rowPrecision }).sparse,
  };
}
