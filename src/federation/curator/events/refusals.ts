/**
 * Refused messages, told one by one while they are few and ever more rarely then: whoever sends garbage for a day must not
 * fill the operator's disk.
 * @module
 */
import type { CuratorStatus } from "./curator-events.js";

type Refused = Extract<CuratorStatus, { kind: "refused" }>;

/** So many of a participant are told one by one. */
const ONE_BY_ONE = 20;

/** Whether what happens for the `count`-th time is told: the first twenty, then the 32nd, the 64th, and so on. */
export const isTold = (count: number) => count <= ONE_BY_ONE || isPowerOfTwo(count);

/** Counts refused messages by participant. */
export class Refusals {
  readonly #counts = new Map<string, { all: number; untold: number }>();

  /** What is to be told, if anything. */
  note(status: Refused): Refused | undefined {
    const count = this.#counts.get(status.participant) ?? { all: 0, untold: 0 };
    this.#counts.set(status.participant, count);
    count.all++;
    count.untold++;
    if (!isTold(count.all)) return undefined;
    const times = count.untold;
    count.untold = 0;
    return times === 1 ? status : { ...status, times };
  }
}

const isPowerOfTwo = (n: number) => Number.isInteger(n) && n > 0 && 2 ** 52 % n === 0;
