/**
 * The one text of a plan, and the hash of it to which participants agree.
 * @module
 */
import { object } from "../../../core/checks.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Plan } from "./plan-form.js";

/** The plan's one text: keys sorted, no blanks. Numbers are printed as JSON prints them. */
export function canonicalPlan(plan: Plan): string {
  return canonicalJson(object("plan", plan));
}

/** SHA-256 of the canonical text, 64 hexadecimal digits. */
export function planHash(plan: Plan): string {
  return textHash(canonicalPlan(plan));
}

/** The same of a text that was made already. */
export function textHash(canonical: string): string {
  return bytesToHex(sha256(utf8ToBytes(canonical)));
}

/** JSON with sorted keys and no blanks; members that are undefined are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry)}`);
    return `{${entries.join(",")}}`;
  }
  return JSON.stringify(value);
}
