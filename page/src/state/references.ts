/**
 * What private fits are compared with, computed once for each data set in the background.
 * @module
 */
import { signal } from "@preact/signals";
import type { ReferenceOutcome } from "../work/messages.js";
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
const TOGETHER = ["trace-norm", "group-sparse", "mean-regularized"] as const;

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
  // The non-private methods that see all data are for targets that are numbers or yes and no.
  const methods = data.loss === "softmax" ? [] : TOGETHER;
  try {
    await Promise.all([
      fit("single-task").then((alone) => {
        update({ alone });
      }),
      Promise.all(methods.map(fit)).then((found) => {
        const best = found.toSorted((a, b) => a.validation - b.validation)[0] ?? null;
        update({ together: best });
      }),
    ]);
    update({ working: false });
  } catch (error) {
    update({ working: false, problem: (error as Error).message });
  }
}

onForget(() => {
  const old = controller;
  controller = undefined;
  old?.abort(new Error("other data was chosen"));
  references.value = NOTHING;
});
