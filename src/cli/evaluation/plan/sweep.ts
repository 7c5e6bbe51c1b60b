/**
 * `--sweep`: the same comparison at several numbers of tasks, or several shapes of the budget over rounds.
 * @module
 */
import type { Candidate } from "../../../learning/index.js";
import { findMethod } from "../../../learning/methods.js";
import type { OptionKind } from "../../../learning/options/kinds.js";
import { textThat } from "../../options/values.js";
import type { CellData } from "../cells/cell.js";

/** What can be varied. */
export type SweepKind = "tasks" | "exponent" | "ratio";

/** A parsed sweep. */
export interface Sweep {
  readonly kind: SweepKind;
  readonly values: readonly number[];
}

const TITLES: Record<SweepKind, string> = {
  tasks: "tasks",
  exponent: "budget exponent alpha: round t may spend a share of t^alpha",
  ratio: "budget ratio Q: round t may spend a share of Q^-t",
};

/** What an axis says. */
export const sweepTitle = (kind: SweepKind): string => TITLES[kind];

function parsed(text: string): Sweep | undefined {
  const [kind, list, ...rest] = text.split(":");
  if (rest.length > 0 || list === undefined || !Object.hasOwn(TITLES, kind!)) return undefined;
  const values = list.split(",").map((value) => (value.trim() === "" ? NaN : Number(value)));
  const distinct = new Set(values).size === values.length;
  const fits = (value: number) =>
    Number.isFinite(value) &&
    (kind === "exponent" || value > 0) &&
    (kind !== "tasks" || Number.isInteger(value));
  return distinct && values.every(fits) ? { kind: kind as SweepKind, values } : undefined;
}

/** The text, once it is known to be a sweep; {@link parseSweep} reads it. */
export function sweepText(): OptionKind<string> {
  const expected = "tasks:40,80,160, exponent:-1,0,0.4 or ratio:0.9,1,1.1, every value once";
  return textThat(expected, (text) => parsed(text) !== undefined);
}

/**
 * What a checked text stands for.
 * @throws RangeError for any other text, as a damaged file may hold.
 */
export function parseSweep(text: string): Sweep {
  const sweep = parsed(text);
  if (!sweep) throw new RangeError(`sweep: expected KIND:VALUES, got ${JSON.stringify(text)}`);
  return sweep;
}

/** A method under a sweep: at every value, or (null) once where the value means nothing to it. */
export function variantsOf(sweep: Sweep | undefined, method: string): readonly (number | null)[] {
  if (!sweep) return [null];
  return sweep.kind === "tasks" || hasSchedule(method) ? sweep.values : [null];
}

/** Whether it spends its budget over rounds; of somebody's own method that is not known. */
const hasSchedule = (method: string) => "schedule" in (findMethod(method)?.options ?? {});

/** Options that a value stands for. */
export function variantOptions(sweep: Sweep | undefined, value: number | null): Candidate {
  if (!sweep || value === null || sweep.kind === "tasks") return {};
  return sweep.kind === "exponent"
    ? { schedule: { kind: "polynomial", exponent: value } }
    : { schedule: { kind: "geometric", ratio: value } };
}

/** Data that a value stands for. */
export function variantData(
  sweep: Sweep | undefined,
  value: number | null,
  data: CellData,
): CellData {
  if (sweep?.kind !== "tasks" || value === null) return data;
  return data.kind === "simulation"
    ? { ...data, options: { ...data.options, tasks: value } }
    : { ...data, take: value };
}
