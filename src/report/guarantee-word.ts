/**
 * The guarantee of an experiment's runs in a word. They are seeded, to be repeated, and protect no one, so
 * none is said to hold.
 * @module
 */

/** What of a row of results tells it. */
interface Promising {
  /** null where the method has no budget. */
  readonly epsilon: number | null;
  /** Whether the guarantee would hold with secure noise; null where there is none. */
  readonly holds: boolean | null;
  /** True of a method of somebody's own, of whose privacy nothing is known. */
  readonly own?: boolean;
}

/** What stands under `holds`. */
export function guaranteeWord({ epsilon, holds, own = false }: Promising): string {
  if (own && epsilon !== null) return "not known";
  if (holds === null) return "-";
  return holds ? "if not seeded" : "DOES NOT HOLD";
}
