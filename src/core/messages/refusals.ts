/**
 * What is wrong in several places of what somebody gave: told in one message, so that it is mended once.
 * @module
 */
import { counted } from "./counted.js";
import { DataError } from "../errors.js";

/** Refusals that are told, a line each. */
const MOST_TOLD = 5;

/** Collects the DataErrors of steps that do not depend on one another. */
export class Refusals {
  readonly #found: string[] = [];

  /** Takes the step; another error than a DataError is thrown on. */
  of(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      this.#found.push(error.message);
    }
  }

  /** @throws DataError with the first of them, and the number of the others, if there is any. */
  throwAny(): void {
    const { length } = this.#found;
    if (length === 0) return;
    const left = length - MOST_TOLD;
    const verb = left === 1 ? "does" : "do";
    const more = left > 0 ? [`Nor ${verb} ${counted(left, "more column")} fit.`] : [];
    throw new DataError([...this.#found.slice(0, MOST_TOLD), ...more].join("\n"));
  }
}
