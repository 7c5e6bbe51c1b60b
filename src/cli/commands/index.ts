/**
 * The commands there are, in the order the help lists them.
 * @module
 */
import type { Command } from "../command.js";

export const commands: readonly Command[] = [];
