/**
 * Which of the options of `auto` go on to the method that it takes.
 * @module
 */
import type { AnyDeclarations } from "../options/option.js";

/**
 * Those that the method has. `scale` goes on only where the method knows the value: "auto" asks for scales that are learned, which
 * means nothing to one that learns none.
 */
export function passedOptions(
  given: Readonly<Record<string, unknown>>,
  declared: AnyDeclarations,
): Record<string, unknown> {
  const passed = Object.entries(given).filter(
    ([name, value]) =>
      name in declared && (name !== "scale" || declared[name]!.accept(value) !== undefined),
  );
  return Object.fromEntries(passed);
}
