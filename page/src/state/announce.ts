/**
 * What screen readers are told when something happens away from the focus.
 * @module
 */
import { signal } from "@preact/signals";

export const announcement = signal("");

/** Says it once, politely. */
export function announce(text: string): void {
  announcement.value = text;
}
