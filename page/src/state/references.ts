/**
 * What private fits are compared with, computed once for each data set in the background.
 * @module
 */
import { signal } from "@preact/signals";
import type { LoadedData, ReferenceOutcome } from "../work/messages.js";
import { perform } from "../work/pool.js";
import { dataSet } from "./data.js";
import { onForget } from "./forget.js";

/** Each task alone, and the best of the methods that see all data. */
export interface References {
  readonly alone: ReferenceOutcome | null;
  readonly together: ReferenceOutcome | null;
  readonly working: boolean;
  /** Why a reference is missing. */
  readonly problem: string | null;
}

const NOTHING: References = { alone: null, together: null, working: false, problem: null };
const SHARING = ["trace-norm", "group-sparse", "mean-regularized"] as const;

/** From here on a mixed model, whose covariance has d^2 numbers, takes minutes. */
const MANY_FEATURES = 20;

/** Methods that see all data; but two they are for targets that are numbers or yes and no. */
function sharingMethods({ loss, train: { featureNames } }: LoadedData): readonly string[] {
  const first = featureNames.length < MANY_FEATURES ? ["pooled", "mixed-model"] : ["pooled"];
  return loss === "softmax" ? first : [...first, ...SHARING];
}

export const references = signal<References>(NOTHING);

let controller: AbortController | undefined;

/** Computes the references of the data at hand. */
export async function computeReferences(): Promise<void> {
  const data = dataSet.value?.data;
  if (!data) return;
  controller?.abort();
  const mine = (controller = new AbortController());
  const { signal: aborted } = mine;
  const update = (change: Partial<References>) => {
    if (controller === mine) references.value = { ...references.value, ...change };
  };
  const fit = (method: string) =>
    perform("background", "reference", { data, method }, { signal: aborted });
  references.value = { ...NOTHING, working: true };
  const methods = sharingMethods(data);
  const alone = Promise.allSettled([
    fit("single-task").then((outcome) => {
      update({ alone: outcome });
    }),
  ]);
  const others = await Promise.allSettled(methods.map(fit));
  const found = others.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failures = [...others, ...(await alone)].filter((result) => result.status === "rejected");
  update({
    together: found.toSorted((a, b) => a.validation - b.validation)[0] ?? null,
    working: false,
    problem: failures.length > 0 ? (failures[0]!.reason as Error).message : null,
  });
}

onForget(() => {
  const old = controller;
  controller = undefined;
  old?.abort(new Error("other data was chosen"));
  references.value = NOTHING;
});
