/**
 * How patient a curator is.
 * @module
 */
import { checkNames, OptionError } from "../../core/index.js";

/** How patient a curator is: times in milliseconds, and what one participant may take of it. */
export interface CuratorPatience {
  /** Between reminders to those that have not uploaded; default 5 s. */
  readonly remind: number;
  /** Time for the last participants to say that they are done; default 60 s. */
  readonly linger: number;
  /**
   * Deadlines in a row that a participant may let pass without an answer before it is expelled; default Infinity: nobody
   * is expelled by rule.
   */
  readonly expelAfter: number;
  /** Most tasks that one participant may register in a run whose plan does not name the tasks; default 1000. */
  readonly mostTasks: number;
}

/** How long the curator waits, where a plan says nothing. */
export const CURATOR_PATIENCE: CuratorPatience = {
  remind: 5000,
  linger: 60_000,
  expelAfter: Infinity,
  mostTasks: 1000,
};

const LIMITS: Readonly<
  Record<keyof CuratorPatience, { says: string; holds: (value: number) => boolean }>
> = {
  remind: { says: "milliseconds > 0", holds: (value) => value > 0 && value < Infinity },
  linger: { says: "milliseconds >= 0", holds: (value) => value >= 0 },
  expelAfter: { says: "a whole number >= 1, or Infinity", holds: isCount },
  mostTasks: { says: "a whole number >= 1, or Infinity", holds: isCount },
};

function isCount(value: number): boolean {
  return value >= 1 && (Number.isInteger(value) || value === Infinity);
}

/**
 * With the defaults for what is left out.
 * @throws OptionError if a name is none of these, or a value no number that it may be: a timer of NaN would go off without end.
 */
export function patienceOf(given: Partial<CuratorPatience>): CuratorPatience {
  checkNames("patience", given, Object.keys(LIMITS));
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of said) {
    const { says, holds } = LIMITS[name as keyof CuratorPatience];
    if (typeof value !== "number" || !holds(value)) {
      throw new OptionError(`patience: ${name}: expected ${says}, got ${String(value)}`);
    }
  }
  return { ...CURATOR_PATIENCE, ...Object.fromEntries(said) };
}
