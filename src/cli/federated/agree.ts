/**
 * Asking whether a plan is agreed to, by its hash beforehand or at the terminal.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { Io } from "../terminal/io.js";

/**
 * @param question ends with "[y/N] ".
 * @param accept the hash that was agreed to beforehand, if one was.
 * @throws OptionError without either a hash or a terminal.
 */
export async function agrees(
  io: Io,
  question: string,
  accept: string | undefined,
  hash: string,
): Promise<boolean> {
  if (accept !== undefined) return accept === hash;
  if (!io.ask) {
    throw new OptionError(
      `the plan was not agreed to: there is no terminal to ask at. If it is as you want it, join with ` +
        `--accept ${hash}`,
    );
  }
  const answer = await io.ask(question);
  return /^y(es)?$/i.test(answer.trim());
}
