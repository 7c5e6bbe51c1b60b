/**
 * The guarantee of an experiment's runs in a word. They are seeded, to be repeated, and protect no one, so
 * none is said to hold.
 * @module
 */

/** What stands under `holds`. @param sound whether it would hold with secure noise; null where there is none. */
export function guaranteeWord(sound: boolean | null): string {
  if (sound === null) return "-";
  return sound ? "if not seeded" : "DOES NOT HOLD";
}
