/**
 * How the budget is spread over rounds, as an option.
 * @module
 */
import type { Schedule } from "../../privacy/index.js";
import { wordAndNumbers, type OptionKind } from "./kinds.js";

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
    // A copy, as plans are made of it more than once.
    const schedule = typeof value === "object" ? ({ ...value } as Schedule) : undefined;
    switch (schedule?.kind) {
      case "constant":
        return schedule;
      case "polynomial":
        return Number.isFinite(schedule.exponent) ? schedule : undefined;
      case "geometric":
        return Number.isFinite(schedule.ratio) && schedule.ratio > 0 ? schedule : undefined;
      default:
        return undefined;
    }
  },
};
