/**
 * How the budget is spread over rounds, as an option.
 * @module
 */
import type { Schedule } from "../../privacy/index.js";
import { nothingLost, wordAndNumbers, type OptionKind } from "./kinds.js";

export const aSchedule: OptionKind<Schedule> = {
  expected:
    '{ kind: "constant" }, { kind: "polynomial", exponent } or { kind: "geometric", ratio } with ratio > 0',
  expectedText: "constant, polynomial:EXPONENT or geometric:RATIO",
  placeholder: "NAME",
  read: (written) => {
    if (typeof written !== "string") return written;
    const { word: kind, numbers } = wordAndNumbers(written);
    if (kind === "constant") return numbers.length === 0 ? { kind } : undefined;
    if (numbers.length !== 1) return undefined;
    return kind === "polynomial" ? { kind, exponent: numbers[0] } : { kind, ratio: numbers[0] };
  },
  write: (schedule) => {
    if (schedule.kind === "polynomial") return `polynomial:${schedule.exponent}`;
    return schedule.kind === "geometric" ? `geometric:${schedule.ratio}` : "constant";
  },
  accept: (value) => {
    const schedule = value as Schedule | null | undefined;
    return schedule ? nothingLost(scheduleOf(schedule), schedule) : undefined;
  },
};

/** A copy, as plans are made of it more than once. */
function scheduleOf({ kind, ...given }: Schedule): Schedule | undefined {
  const { exponent, ratio } = given as { readonly exponent?: number; readonly ratio?: number };
  switch (kind) {
    case "constant":
      return { kind };
    case "polynomial":
      return Number.isFinite(exponent) ? { kind, exponent: exponent! } : undefined;
    case "geometric":
      return Number.isFinite(ratio) && ratio! > 0 ? { kind, ratio: ratio! } : undefined;
    default:
      return undefined;
  }
}
