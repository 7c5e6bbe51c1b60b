/**
 * A method's options as a plan holds them: every one after defaults, but for those that a later release added and that
 * have their default. So a release with a new option gives an old plan its old hash, and a run survives an upgrade; a
 * release without the option refuses a plan that sets it, by its name.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import type { AnyDeclarations } from "../../../learning/options/option.js";

/**
 * The options as JSON.
 * @throws OptionError for what only a local fit can have.
 */
export function plainOptions(
  options: object,
  declarations: AnyDeclarations,
): Record<string, unknown> {
  for (const [name, value] of Object.entries(options)) {
    if (value instanceof Float64Array) {
      throw new OptionError(`plan: ${name}: an array of models cannot be agreed on by everyone`);
    }
    if (typeof value === "object" && value !== null && "valueAndGradient" in value) {
      throw new OptionError(`plan: ${name}: a model of your own cannot travel; use "network"`);
    }
  }
  const plain = JSON.parse(JSON.stringify(options)) as Record<string, unknown>;
  const isOld = ([name, value]: [string, unknown]) => {
    const declared = declarations[name];
    return !declared?.later || JSON.stringify(value) !== JSON.stringify(declared.default);
  };
  return Object.fromEntries(Object.entries(plain).filter(isOld));
}
