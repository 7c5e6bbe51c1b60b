/**
 * Numbers as people read them.
 * @module
 */
import { decimalAbove, decimalBelow } from "../../../src/privacy/accounting/rounding.js";

/** Three significant digits, without an exponent where that stays short. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) {
    const [digits, exponent] = value.toExponential(1).split("e");
    return `${Number(digits)}·10${superscript(Number(exponent))}`;
  }
  const rounded = Number(value.toPrecision(3));
  return size >= 1e4 ? count(rounded) : String(rounded);
}

const digitsOf = (value: number) => (value < 1e-3 || value >= 1e6 ? 2 : 3);

/** The same for an epsilon or a delta that is promised: never below it. */
export function shortPromise(value: number): string {
  return short(decimalAbove(value, digitsOf(value)));
}

/** The same for what is proven to be lost at least: never above it. */
export function shortProven(value: number): string {
  return short(decimalBelow(value, digitsOf(value)));
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(exponent: number): string {
  const digits = Array.from(String(Math.abs(exponent)), (digit) => SUPERSCRIPTS[Number(digit)]!);
  return `${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}

/** 1,234. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** "1 task", "3 tasks". */
export function plural(value: number, one: string): string {
  return `${count(value)} ${one}${value === 1 ? "" : "s"}`;
}

/**
 * The most by which odds can rise, but for a chance of ten times delta: e^eps and a ninth of it, by
 * `posteriorOdds` of the library; in two digits rounded up.
 */
export function oddsFactor(epsilon: number): string {
  const factor = Math.exp(epsilon) / 0.9;
  if (factor >= 1e6) return "more than a million";
  const digit = 10 ** (Math.floor(Math.log10(factor)) - 1);
  return count(Number((Math.ceil(factor / digit) * digit).toPrecision(2)));
}

/** A chance as "1 in 1,850"; rounded so that it is not made to look smaller. */
export function oneIn(chance: number): string {
  const inverse = (1 / chance) * (1 + 1e-12); // 1e-5 is no binary fraction
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(inverse)) - 1);
  return `1 in ${count(Math.floor(inverse / digits) * digits)}`;
}

/** The same for a chance that something goes wrong: 0.471 as "48 %". */
export function percentAbove(chance: number): string {
  return `${decimalAbove(100 * chance, 2)} %`;
}

/** 0.473 as "47 %". */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
