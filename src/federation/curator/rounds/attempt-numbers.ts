/**
 * Numbers of the attempts at each round's sum: none is used twice, also after the curator's process was another.
 * @module
 */
import { HostError } from "../../../core/errors.js";
import { MOST_ATTEMPTS } from "../../protocol/messages/attempts.js";
import type { CuratorRecord } from "../../protocol/records.js";
import type { CuratorOutput } from "../events/curator-output.js";

export class AttemptNumbers {
  readonly #last = new Map<number, number>();
  readonly #output: Pick<CuratorOutput, "keep">;

  /**
   * @param records what earlier processes of the curator kept.
   * @param output where every number is kept before it is used.
   */
  constructor(records: readonly CuratorRecord[], output: Pick<CuratorOutput, "keep">) {
    this.#output = output;
    for (const record of records) {
      if (record.type === "attempt") this.#last.set(record.round, record.attempt);
    }
  }

  /** Of the last attempt at a round's sum; 0 before the first. */
  last(round: number): number {
    return this.#last.get(round) ?? 0;
  }

  /**
   * A number never used before, and from now on used.
   * @throws HostError after the last one.
   */
  next(round: number): number {
    const attempt = this.last(round) + 1;
    if (attempt > MOST_ATTEMPTS) {
      throw new HostError(
        `round ${round}: ${MOST_ATTEMPTS} attempts at its sum failed, and nobody takes part in more; end what made the last ones ` +
          "fail, and start a run of another name.",
      );
    }
    this.#last.set(round, attempt);
    this.#output.keep({ type: "attempt", round, attempt });
    return attempt;
  }
}
