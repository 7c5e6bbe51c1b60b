/**
 * What screen readers are told when something happens away from the focus.
 * @module
 */
import { signal } from "@preact/signals";

export const announcement = signal("");

/**
 * Says it once, politely. What was just said is said again by a text that differs in a space at its end:
 * the same text would be no change, and two fits may well end alike.
 */
export function announce(text: string): void {
  announcement.value = text === announcement.value ? `${text}\u00a0` : text;
}
