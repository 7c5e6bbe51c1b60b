/**
 * What the next fit will do.
 * @module
 */
import { computed, signal } from "@preact/signals";
import type { Adjacency, MechanismName } from "../../../src/privacy/index.js";
import { METHODS, methodOf, type MethodInfo } from "../text/methods.js";
import type { FitRequest } from "../work/messages.js";
import { dataSet } from "./data.js";

/** The range of the slider. */
export const LEAST_EPSILON = 0.05;
export const MOST_EPSILON = 50;

/** delta as asked for: the default for the number of tasks, or a number. */
export type DeltaChoice = "auto" | number;

const methodId = signal("auto");
export const epsilon = signal(1);
export const delta = signal<DeltaChoice>("auto");
export const adjacency = signal<Adjacency>("replace");
export const mechanism = signal<MechanismName | "auto">("auto");
/** null: the method's own. */
export const rounds = signal<number | null>(null);
export const clip = signal<number | null>(null);
/** Whether tasks vote on the clip. */
export const clipIsLearned = signal(false);
export const lambda = signal<number | null>(null);
/** Empty: secure noise. */
export const seed = signal("");

/** Methods that can learn from the data at hand. */
export const available = computed(() => {
  const loss = dataSet.value?.data.loss ?? "squared";
  return METHODS.filter(({ losses }) => losses.includes(loss));
});

export const method = computed(() => {
  const chosen = methodOf(methodId.value);
  return available.value.includes(chosen) ? chosen : available.value[0]!;
});

/** Chooses a method; settings that belonged to the old one go back to the defaults. */
export function chooseMethod(id: string): void {
  methodId.value = id;
  mechanism.value = "auto";
  rounds.value = null;
  clip.value = null;
  clipIsLearned.value = false;
  lambda.value = null;
}

/** Everything that identifies a fit, for comparing with the one that is shown. */
export interface Settings {
  readonly method: MethodInfo;
  readonly epsilon: number;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The clip in force; where it is learned, a guess of it, by which lambda is measured. */
export const clipInForce = computed(() => clip.value ?? dataSet.value?.data.clip ?? 1);

/** The penalty's weight in force. */
export const lambdaInForce = computed(() => {
  const { lambda: own = 0, lambdaPerClip } = method.value;
  const standard = lambdaPerClip ? own * clipInForce.value : own;
  return lambda.value ?? Number(standard.toPrecision(3));
});

/** Settings as they stand. */
export const settings = computed<Settings>(() => {
  const chosen = method.value;
  return {
    method: chosen,
    epsilon: epsilon.value,
    options: {
      ...chosen.options,
      epsilon: epsilon.value,
      delta: delta.value,
      adjacency: adjacency.value,
      ...(chosen.mechanisms.length > 0 ? { mechanism: mechanism.value } : {}),
      ...(chosen.rounds === undefined ? {} : { rounds: rounds.value ?? chosen.rounds }),
      ...(chosen.clips ? { clip: clipIsLearned.value ? "auto" : clipInForce.value } : {}),
      ...(chosen.lambda === undefined ? {} : { lambda: lambdaInForce.value }),
      ...(seed.value === "" ? {} : { random: { mode: "seeded", seed: seed.value } }),
    },
  };
});

/** The fit that these settings ask for; undefined while there is no data. */
export function requestOf({ method: { method: name }, options }: Settings): FitRequest | undefined {
  const data = dataSet.value?.data;
  return data && { data, method: name, options };
}

/** All options of a fit, those that the data decides included. */
export function allOptions({ options }: Settings): Readonly<Record<string, unknown>> {
  return { loss: dataSet.value!.data.loss, ...options };
}
