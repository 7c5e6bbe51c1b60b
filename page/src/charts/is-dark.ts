/**
 * Whether the page is dark, as the system asks.
 * @module
 */
import { signal } from "@preact/signals";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** True on dark ground. */
export const isDark = signal(dark.matches);
dark.addEventListener("change", () => (isDark.value = dark.matches));
