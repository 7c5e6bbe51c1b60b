/**
 * Checks of how noise was drawn and charged: faults that no single release shows.
 * @module
 */
import type { Core } from "../../core/core.js";
import { MpMtlError } from "../../core/errors.js";
import type { Ledger } from "../ledger/ledger.js";

/** The outcome of one check. */
export interface ReleaseCheck {
  /**
   * "charged": every release has a charge of its round. "charged-first": one that the ledger refuses, and one more than planned,
   * is refused before noise is drawn. "noise-drawn": every release carries noise. "noise-fresh": no draw repeats another.
   */
  readonly name: "charged" | "charged-first" | "noise-drawn" | "noise-fresh";
  /** Whether no fault was found. */
  readonly passed: boolean;
  /** What was found; no data value, weight or seed. */
  readonly detail: string;
}

/** A method whose releases do not pass through a curator cannot be watched. */
const NOTHING_SEEN = "the method shows no release, so none was checked";

/** What was seen of one run: the rounds in which something noisy was released, and the ledger's. */
export interface ObservedRun {
  /** Round of every release, in order. */
  readonly released: readonly number[];
  /** Rounds that the ledger charged. */
  readonly charged: readonly number[];
}

/** Every release must have a charge of its own round. */
export function checkCharges(runs: readonly ObservedRun[]): ReleaseCheck {
  let releases = 0;
  let missing = 0;
  for (const { released, charged } of runs) {
    const left = new Map<number, number>();
    for (const round of charged) left.set(round, (left.get(round) ?? 0) + 1);
    for (const round of released) {
      releases++;
      const unused = left.get(round) ?? 0;
      if (unused > 0) left.set(round, unused - 1);
      else missing++;
    }
  }
  return {
    name: "charged",
    passed: missing === 0,
    detail:
      releases === 0
        ? NOTHING_SEEN
        : missing === 0
          ? `all ${releases} releases are in the ledger`
          : `${missing} of ${releases} releases are not in the ledger`,
  };
}

/** A noise draw without its scale; the first few entries are enough. */
export type NoiseSample = Float64Array;

/** Entries of a draw that are compared. */
const SAMPLE_ENTRIES = 6;

/**
 * What is kept of a noise draw. Long ones are scaled to unit norm, so that a repeat shows whatever
 * the rounds' scales are; one or two numbers need their scale to be told apart at all.
 */
export function noiseSample(
  released: Float64Array,
  exact: Float64Array,
  scale: number,
): NoiseSample {
  const noise = released.map((value, k) => value - exact[k]!);
  const norm = Math.sqrt(noise.reduce((sum, x) => sum + x * x, 0));
  const unit = noise.length > 2 && norm > 0 ? norm : scale;
  return noise.slice(0, SAMPLE_ENTRIES).map((x) => x / unit);
}

/** Whether two draws are the same but for rounding, which weighs more when nothing else is known. */
function same(a: NoiseSample, b: NoiseSample): boolean {
  const relative = a.length > 1 ? 1e-7 : 1e-13;
  return a.every((x, k) => Math.abs(x - b[k]!) <= relative * (Math.abs(x) + Math.abs(b[k]!)));
}

/**
 * Noise must be there, and never the same twice: a seed that is used again lets whoever sees two
 * releases subtract them.
 *
 * Two independent draws agree to 1e-7 in each of two entries, or to 1e-13 in one, with probability of
 * the order of 1e-13, so 10^4 draws raise a false alarm with probability of the order of 1e-5.
 */
export function checkNoise(samples: readonly NoiseSample[]): ReleaseCheck[] {
  const absent = samples.filter((sample) => sample.every((x) => x === 0)).length;
  const drawn = samples.filter((sample) => sample.some((x) => x !== 0));
  const sorted = drawn.toSorted((a, b) => a[0]! - b[0]!);
  let repeated = 0;
  for (let i = 1; i < sorted.length; i++) {
    if (same(sorted[i - 1]!, sorted[i]!)) repeated++;
  }
  return [
    {
      name: "noise-drawn",
      passed: absent === 0,
      detail:
        samples.length === 0
          ? NOTHING_SEEN
          : absent === 0
            ? `all ${samples.length} releases carry noise`
            : `${absent} of ${samples.length} releases carry no noise`,
    },
    {
      name: "noise-fresh",
      passed: repeated === 0,
      detail:
        samples.length === 0
          ? NOTHING_SEEN
          : repeated === 0
            ? `no two of ${drawn.length} noise draws are equal`
            : `${repeated} of ${drawn.length} noise draws repeat another, up to their scale`,
    },
  ];
}

/** The private half of a curator: charges a ledger, then adds noise in place. */
export interface ReleasePath {
  readonly ledger: Pick<Ledger, "entries">;
  perturb(at: number, round: number): void;
  /** Wipes its key. */
  close?(): void;
}

const nameOf = (fault: unknown) => (fault instanceof Error ? fault.name : typeof fault);

/**
 * Asks for a release that must be refused, by an error of the package or a RangeError; another error is a fault of the program and no
 * refusal. A sound path throws before it draws: the statistic is untouched afterwards and no charge is added.
 *
 * @param path   whose planned rounds have all been released, or whose ledger refuses.
 * @param at     address of `length` float64 in the core's memory.
 */
export function checkChargedFirst(
  core: Core,
  path: ReleasePath,
  { at, length, round }: { at: number; length: number; round: number },
): ReleaseCheck {
  const before = core.arena.view(at, length).slice();
  const entries = path.ledger.entries.length;
  let refused = false;
  let fault: unknown;
  try {
    path.perturb(at, round);
  } catch (error) {
    refused = error instanceof MpMtlError || error instanceof RangeError;
    fault = error;
  }
  const after = core.arena.view(at, length);
  const untouched = before.every((x, k) => Object.is(x, after[k]));
  const passed = refused && untouched && path.ledger.entries.length === entries;
  const made =
    fault === undefined
      ? "a release that the ledger refuses, or beyond the plan, was made"
      : `expected a refusal of a release that the ledger refuses, got ${nameOf(fault)}`;
  const detail = !refused
    ? made
    : passed
      ? "a release that the ledger refuses is refused before noise is drawn"
      : "a refused release was made all the same: noise is drawn before the charge";
  return { name: "charged-first", passed, detail };
}
