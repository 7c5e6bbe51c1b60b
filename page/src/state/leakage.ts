/**
 * The demonstration of leakage: one example under three kinds of protection, and two attacks.
 * @module
 */
import { signal } from "@preact/signals";
import { short } from "../text/numbers.js";
import type {
  CertaintyOutcome,
  LeakageOutcome,
  LeakagePoint,
  Protection,
} from "../work/messages.js";
import { perform } from "../work/pool.js";
import { announce } from "./announce.js";

/** What the demonstration found. */
export interface LeakageState {
  readonly epsilon: number;
  readonly found: Readonly<Record<Protection, LeakageOutcome>>;
  readonly sweep: Readonly<Record<"paper" | "ours", readonly LeakagePoint[]>>;
  readonly certainty: Readonly<Record<"paper" | "ours", CertaintyOutcome>>;
}

/** Right end of the slider: where hardly anything is protected. */
export const LARGEST_EPSILON = 5000;

export const leakageEpsilon = signal(0.1);
export const leakage = signal<LeakageState | null>(null);
export const leakageWorking = signal(false);
export const leakageProblem = signal<string | null>(null);

let latest = 0;
/** Does not depend on the chosen eps, so it is computed once. */
let sweeps: Promise<LeakageState["sweep"]> | undefined;

async function sweep(): Promise<LeakageState["sweep"]> {
  const [paper, ours] = await Promise.all([
    perform("background", "leakage-sweep", { protection: "paper" }),
    perform("background", "leakage-sweep", { protection: "ours" }),
  ]);
  return { paper, ours };
}

/** Runs the attacks at the eps as it stands. */
export async function demonstrate(): Promise<void> {
  const mine = ++latest;
  const epsilon = leakageEpsilon.value;
  leakageWorking.value = true;
  leakageProblem.value = null;
  const attack = (protection: Protection) =>
    perform("background", "leakage", { epsilon, protection });
  const certain = (protection: "paper" | "ours") =>
    perform("background", "certainty", { epsilon, protection });
  try {
    const [none, paper, ours, certainPaper, certainOurs, swept] = await Promise.all([
      attack("none"),
      attack("paper"),
      attack("ours"),
      certain("paper"),
      certain("ours"),
      (sweeps ??= sweep()),
    ]);
    if (mine !== latest) return;
    leakage.value = {
      epsilon,
      found: { none, paper, ours },
      sweep: swept,
      certainty: { paper: certainPaper, ours: certainOurs },
    };
    announce(
      `The attack ran: without protection it misses by ${short(none.angleAfter)} degrees, with our ` +
        `noise by ${short(ours.angleAfter)} degrees.`,
    );
  } catch (error) {
    sweeps = undefined;
    if (mine !== latest) return;
    leakageProblem.value = (error as Error).message;
    announce(`The attack could not be run. ${leakageProblem.value}`);
  } finally {
    if (mine === latest) leakageWorking.value = false;
  }
}
