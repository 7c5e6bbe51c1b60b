/**
 * Checks random configurations for so long, or so many, and says what was seen.
 * @module
 */
import fc from "fast-check";
import type { AnyMethod } from "../../src/learning/options/method.js";
import { checkConfiguration } from "./check.js";
import { configurations, type Configuration } from "./configurations.js";
import { NoiseTally } from "./noise-tally.js";
import type { Sabotage } from "./watched-fit.js";

/** How long, and from which seed. */
export interface RunOptions {
  readonly seed: number;
  /** Of a counterexample, as a failure prints it: only that one is run. */
  readonly path?: string | undefined;
  /** Most configurations, and most milliseconds; default no end. */
  readonly count?: number | undefined;
  readonly duration?: number | undefined;
  /** Default all. */
  readonly methods?: readonly AnyMethod[] | undefined;
  /** What of a drawn configuration is changed, so that it reaches what chance seldom does. */
  readonly changed?: (configuration: Configuration) => Configuration;
  readonly sabotage?: Sabotage | undefined;
  /** Whether the first failure is looked for a smaller one of its kind, which takes many fits; default yes. */
  readonly shrinks?: boolean;
  readonly stopped?: () => boolean;
  readonly onProgress?: (seen: Seen) => void;
}

/** What has been seen so far. */
export interface Seen {
  checked: number;
  refused: number;
  tooLong: number;
  releases: number;
  /** Configurations checked, by method. */
  readonly methods: Record<string, number>;
  /** The largest change over sensitivity, by kind of release. */
  readonly ratios: Record<string, number>;
  /** Configurations with such a release, by its label in the ledger, and the largest change over sensitivity. */
  readonly labels: Record<string, { configurations: number; ratio: number }>;
  readonly noise: NoiseTally;
}

/** A promise that did not hold, and how to see it again. */
export interface Failure {
  readonly message: string;
  readonly configuration: Configuration | undefined;
  readonly seed: number;
  readonly path: string | undefined;
}

/** Configurations from one seed of fast-check; the next ones have the next seed. */
const CHUNK = 25;
/** A fit of a few rows that has not ended after so many milliseconds converges to nothing. */
const LIMIT = 30_000;
/** Noise farther than this from its law is of another size. */
const FARTHEST = 8;

/** Checks until the end, or the first failure. */
export async function runProperty(options: RunOptions): Promise<{ seen: Seen; failure?: Failure }> {
  const { seed, path, count = Infinity, duration = Infinity, methods } = options;
  const { changed = (drawn) => drawn } = options;
  const { sabotage, shrinks = true, stopped = () => false, onProgress } = options;
  const noise = new NoiseTally();
  const seen: Seen = { checked: 0, refused: 0, tooLong: 0, releases: 0, methods: {}, ratios: {}, labels: {}, noise }; // prettier-ignore
  const start = performance.now();
  const over = () => stopped() || performance.now() - start > duration;
  const drawn = configurations(methods).map(changed);
  const property = fc.asyncProperty(drawn, async (configuration) => {
    if (over()) return;
    const outcome = await checkConfiguration(configuration, { sabotage, noise, limit: LIMIT });
    countOutcome(seen, configuration, outcome);
    onProgress?.(seen);
  });
  for (let done = 0; done < count && !over(); done += CHUNK) {
    const numRuns = Math.min(CHUNK, count - done);
    const from = seed + done / CHUNK;
    const given = { seed: from, numRuns, endOnFailure: !shrinks, ...(path ? { path } : {}) };
    const details = await fc.check(property, given);
    if (details.failed) return { seen, failure: failureOf(details) };
    if (path) break;
  }
  const loud = noise.deviations().find(({ deviation }) => !(Math.abs(deviation) < FARTHEST));
  if (!loud) return { seen };
  const { kind, draws, deviation } = loud;
  const message = `the noise of ${draws} releases (${kind}) is ${deviation} standard deviations off`;
  return { seen, failure: { message, configuration: undefined, seed, path: undefined } };
}

function failureOf(details: fc.RunDetails<[Configuration]>): Failure {
  const { counterexample, counterexamplePath, errorInstance, seed } = details;
  return {
    message: errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    configuration: counterexample?.[0],
    seed,
    path: counterexamplePath ?? undefined,
  };
}

function countOutcome(
  seen: Seen,
  { method }: Configuration,
  { refused, tooLong, releases, ratios, labels }: Awaited<ReturnType<typeof checkConfiguration>>,
): void {
  if (refused !== undefined) seen.refused++;
  else if (tooLong) seen.tooLong++;
  else {
    seen.checked++;
    seen.releases += releases;
    seen.methods[method] = (seen.methods[method] ?? 0) + 1;
  }
  for (const [kind, ratio] of Object.entries(ratios))
    seen.ratios[kind] = Math.max(seen.ratios[kind] ?? 0, ratio);
  for (const [label, ratio] of Object.entries(labels)) {
    const all = (seen.labels[label] ??= { configurations: 0, ratio: 0 });
    all.configurations++;
    all.ratio = Math.max(all.ratio, ratio);
  }
}
