/**
 * A curator and n participants in one process, with drop-outs at any step.
 */
import {
  AggregationCurator,
  type CuratorEffect,
} from "../../../src/federation/secure-aggregation/attempt/curator.js";
import {
  AggregationParticipant,
  type ParticipantEffect,
} from "../../../src/federation/secure-aggregation/attempt/participant.js";
import {
  createSetting,
  everyone,
  type Neighbourhood,
  type Setting,
} from "../../../src/federation/secure-aggregation/attempt/setting.js";
import { newIdentity, type KeyPair } from "../../../src/federation/secure-aggregation/keys/keys.js";
import { parties, type Parties } from "../../../src/federation/secure-aggregation/plan/parties.js";
import { randomBytesFrom } from "../../../src/federation/secure-aggregation/keys/random-bytes.js";
import { sessionId } from "../../../src/federation/secure-aggregation/keys/session.js";
import type { ModulusBits } from "../../../src/federation/secure-aggregation/integers/residues.js";

/** Messages a participant sends before it drops out: 0 to 5 (5: it never does). */
export type Stays = 0 | 1 | 2 | 3 | 4 | 5;

export interface RunOptions {
  n: number;
  threshold?: number;
  colluding?: number;
  values: Float64Array[];
  bits?: ModulusBits;
  stays?: Stays[];
  seed?: string;
  neighbourhood?: (parties: Parties) => Neighbourhood;
  /** Changes or withholds a participant's message. */
  tamper?: (from: number, nth: number, message: Uint8Array) => Uint8Array | undefined;
  /** The curator's process ends when the sum can be opened, and another goes on from what was kept. */
  restart?: boolean;
  /** Sees every message to a participant, and may change it. */
  relay?: (to: number, message: Uint8Array) => Uint8Array;
}

export interface RunResult {
  sum?: Float64Array;
  included: readonly number[];
  effects: CuratorEffect[];
  participantEffects: ParticipantEffect[];
  /** Every message the curator got. */
  seen: { from: number; message: Uint8Array }[];
}

const identities: KeyPair[] = [];

/** The same test identities in every run: making them is most of a small run's time. */
export function identity(index: number): KeyPair {
  return (identities[index] ??= newIdentity(
    randomBytesFrom({ mode: "seeded", seed: `identity ${index}` }),
  ));
}

export function settingOf(options: RunOptions): Setting {
  const { n, threshold, colluding = 0, bits = 64, values } = options;
  const numbers = parties({
    participants: n,
    colluding,
    ...(threshold === undefined ? {} : { threshold }),
  });
  return createSetting({
    parties: numbers,
    identities: Array.from({ length: n }, (_, i) => identity(i).public),
    neighbourhood: (options.neighbourhood ?? everyone)(numbers),
    session: sessionId({ plan: "plan", run: "run", round: 1, attempt: 1 }),
    numbers: new Uint8Array(32),
    entries: values[0]!.length,
    bits,
  });
}

/** Runs one attempt to its end; deadlines come when nothing else moves. */
export function run(options: RunOptions): RunResult {
  const { n, values, stays = [], seed = "run", tamper, relay } = options;
  const setting = settingOf(options);
  const random = (who: string) => randomBytesFrom({ mode: "seeded", seed: `${seed} ${who}` });
  let curator = new AggregationCurator({ setting });
  const participants = Array.from(
    { length: n },
    (_, index) =>
      new AggregationParticipant({
        setting,
        index,
        identity: identity(index).secret,
        values: values[index]!,
        random: random(String(index)),
      }),
  );
  const result: RunResult = { included: [], effects: [], participantEffects: [], seen: [] };
  const sent = new Array<number>(n).fill(0);
  const queue: { from: number; message: Uint8Array }[] = [];
  const fromParticipant = (from: number, effects: ParticipantEffect[]) => {
    result.participantEffects.push(...effects);
    for (const effect of effects) {
      if (effect.kind !== "send" || sent[from]! >= (stays[from] ?? 5)) continue;
      const nth = sent[from]!++;
      const message = tamper ? tamper(from, nth, effect.message) : effect.message;
      if (message) queue.push({ from, message });
    }
  };
  const fromCurator = (effects: CuratorEffect[]) => {
    result.effects.push(...effects);
    for (const effect of effects) {
      if (effect.kind === "opening" && options.restart) {
        curator = new AggregationCurator({ setting, snapshot: effect.snapshot });
      } else if (effect.kind === "send" || effect.kind === "announce") {
        for (const to of effect.kind === "send" ? [effect.to] : effect.to) {
          const message = relay ? relay(to, effect.message) : effect.message;
          fromParticipant(to, participants[to]!.receive(message));
        }
      } else if (effect.kind === "sum") {
        result.sum = effect.values;
        result.included = effect.included;
      }
    }
  };
  participants.forEach((participant, index) => fromParticipant(index, participant.start()));
  while (curator.phase !== "done" && curator.phase !== "failed") {
    const next = queue.shift();
    if (next) {
      result.seen.push(next);
      fromCurator(curator.receive(next.from, next.message));
    } else {
      const before = curator.phase;
      fromCurator(curator.deadline());
      if (curator.phase === before && queue.length === 0) break;
    }
  }
  return result;
}

/** Integers whose sums over a thousand participants wrap neither modulus. */
export function randomValues(n: number, entries: number, seed: number, largest = 2 ** 20) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return Array.from({ length: n }, () =>
    Float64Array.from({ length: entries }, () => Math.floor((2 * next() - 1) * largest)),
  );
}

/** Plain sum over some participants. */
export function plainSum(values: Float64Array[], members: readonly number[]): Float64Array {
  const sum = new Float64Array(values[0]!.length);
  for (const member of members) values[member]!.forEach((x, i) => (sum[i]! += x));
  return sum;
}
