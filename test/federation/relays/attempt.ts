/**
 * One attempt at a secure sum over trees of relays, machine by machine, its messages delivered in a drawn order.
 * @module
 */
import {
  AggregationCurator,
  type CuratorEffect,
} from "../../../src/federation/secure-aggregation/attempt/curator.js";
import {
  AggregationParticipant,
  type ParticipantEffect,
} from "../../../src/federation/secure-aggregation/attempt/participant.js";
import { randomBytesFrom } from "../../../src/federation/secure-aggregation/keys/random-bytes.js";
import { uint32 } from "../../../src/federation/secure-aggregation/keys/session.js";
import type { PlannedAggregation } from "../../../src/federation/secure-aggregation/plan/planned.js";
import { Gathering, requestIn, type Gathered } from "../../../src/federation/relays/gathering.js";
import { relayGroups } from "../../../src/federation/relays/plan/groups.js";
import type { GatherRequest } from "../../../src/federation/relays/relay-messages.js";
import { placeOf } from "../../../src/federation/relays/sources.js";
import { identity, randomValues, settingOf } from "../secure-aggregation/harness.js";

export const ENTRIES = 3;

/** How a participant behaves once it has its inbox. */
export type Manner = "honest" | "gone" | "twice" | "both ways" | "complains" | "straight";

/**
 * How a relay behaves: it is dead; is killed and starts anew, twice; says whom it has but gives no sum; gives a sum of nobody; one that is
 * too short; or gives its sums to the curator as well as to the relay that they are for.
 */
export type RelayManner = "honest" | "dead" | "killed" | "mute" | "nobody" | "short" | "both ways";

export interface Case {
  /** Every participant's relay; one that `above` does not have stands for none. */
  readonly relay: readonly number[];
  /** Of every relay the one that its sums are for, of a greater number; left out or out of range: the curator. */
  readonly above: readonly (number | undefined)[];
  readonly manners: readonly Manner[];
  readonly relays: readonly RelayManner[];
  readonly order: number;
  /** Of a hundred messages on the way of inputs, so many are lost. */
  readonly loss?: number;
}

export interface Outcome {
  readonly sum?: Float64Array;
  readonly included: readonly number[];
  /** How often something came to be opened. */
  readonly openings: number;
  /** Names of relays that were done without, in order. */
  readonly without: readonly string[];
  /** Sums that the curator got of relays. */
  readonly partials: number;
  readonly deadlines: number;
  /** How often nothing was on its way before it was over, deadlines among them. */
  readonly idle: number;
  readonly values: readonly Float64Array[];
}

/** A sum with what comes after the header, whom and what it holds, set to zero. */
const nobody = (bytes: Uint8Array) => bytes.slice().fill(0, 34);

/** The plan's word of who has which relay. */
export function assigned({ relay, above }: Pick<Case, "relay" | "above">) {
  const known = above.map((next) => (next !== undefined && next < above.length ? next : undefined));
  const used = new Set<number>();
  for (const first of relay) {
    for (let at: number | undefined = first; at !== undefined && at < above.length; at = known[at])
      used.add(at);
  }
  return {
    participants: relay.map((r, i) => ({
      name: `p${i}`,
      identity: "",
      ...(r < above.length ? { relay: `r${r}` } : {}),
    })),
    relays: known.flatMap((next, r) =>
      next === undefined || !used.has(r) ? [] : [{ name: `r${r}`, relay: `r${next}` }],
    ),
  };
}

/** Runs it to its end, or until deadlines move nothing. */
export function attempt(one: Case): Outcome {
  const { relay, manners, relays, order, loss = 0 } = one;
  const n = relay.length;
  const values = randomValues(n, ENTRIES, 7);
  const setting = settingOf({ n, threshold: Math.floor((2 * n) / 3), values });
  const planned = assigned(one);
  const groups = relayGroups(planned);
  const places = groups.map(({ name }) => placeOf(planned as unknown as PlannedAggregation, name)!);
  const mannerOf = (r: number) => relays[Number(groups[r]!.name.slice(1))] ?? "honest";
  const numberOf = new Map(groups.map(({ name }, r) => [name, r]));
  const curator = new AggregationCurator({ setting, relays: groups });
  const people = values.map(
    (own, index) =>
      new AggregationParticipant({
        setting,
        index,
        values: own,
        identity: identity(index).secret,
        random: randomBytesFrom({ mode: "seeded", seed: `relays ${index}` }),
      }),
  );
  interface Process {
    gathering?: Gathering;
    early: [number, Uint8Array][];
    straight: boolean;
    kills: number;
  }
  const processes = groups.map((): Process => ({ early: [], straight: false, kills: 2 }));
  let [openings, partials, deadlines, idle] = [0, 0, 0, 0];
  let result: Pick<Outcome, "sum" | "included"> = { included: [] };
  const without: string[] = [];
  const queue: (() => void)[] = [];
  let state = order >>> 0 || 1;
  const draw = (below: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  const carry = (arrive: () => void) => {
    if (curator.phase !== "input" || draw(100) >= loss) queue.push(arrive);
  };
  const toCurator = (from: number, bytes: Uint8Array) =>
    carry(() => perform(curator.receive(from, bytes)));
  const toCuratorOf = (r: number, bytes: Uint8Array) =>
    carry(() => {
      if (bytes[1] === 11) partials++;
      perform(curator.receiveFromRelay(r, bytes));
    });
  const passOn = (r: number, { sum, word }: Gathered) => {
    const manner = mannerOf(r);
    if (word) toCuratorOf(r, word);
    if (!sum || manner === "mute") return;
    const lies = { nobody, short: (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 4) };
    const said = manner in lies ? lies[manner as keyof typeof lies](sum) : sum;
    const { above } = places[r]!;
    const past = above === undefined || processes[r]!.straight;
    if (past || manner === "both ways") toCuratorOf(r, said);
    if (!past) toRelay(numberOf.get(above)!, groups[r]!.name, said);
  };
  /** Has a relay do something, unless it is killed before. */
  const relayDoes = (r: number, work: (process: Process) => void) =>
    carry(() => {
      const process = processes[r]!;
      if (mannerOf(r) === "dead") return;
      if (mannerOf(r) === "killed" && process.kills > 0 && draw(2) === 0) {
        processes[r] = { early: [], straight: false, kills: process.kills - 1 };
        perform(curator.relayBack(r));
      } else work(process);
    });
  const toRelay = (r: number, from: string, bytes: Uint8Array) => {
    const source = places[r]!.sources.findIndex(({ name }) => name === from);
    relayDoes(r, ({ gathering, early }) => {
      if (gathering) passOn(r, gathering.take(source, bytes));
      else early.push([source, bytes]);
    });
  };
  const said = (from: number, effects: ParticipantEffect[], straight: boolean) => {
    const name = planned.participants[from]!.relay;
    const own = name === undefined ? undefined : numberOf.get(name);
    for (const effect of effects) {
      if (effect.kind !== "send") continue;
      const manner = manners[from]!;
      const { message: bytes } = effect;
      if (!effect.forRelay) {
        toCurator(from, bytes);
        continue;
      }
      if (manner === "gone") continue;
      // Somebody who complains about a dealer sends straight what it would have sent to its relay.
      const complaint = [bytes.subarray(0, 34), uint32(1), uint32(from === 0 ? 1 : 0), bytes.subarray(38)]; // prettier-ignore
      const complaining = Uint8Array.from(Buffer.concat(complaint));
      if (manner === "complains") toCurator(from, complaining);
      if (manner === "complains" && own !== undefined) continue;
      if (own === undefined || straight || manner === "straight") toCurator(from, bytes);
      else toRelay(own, `p${from}`, bytes);
      if (manner === "twice" && own !== undefined) toRelay(own, `p${from}`, bytes);
      if (manner === "both ways" && own !== undefined) toCurator(from, complaining);
    }
  };
  const perform = (effects: readonly CuratorEffect[]) => {
    for (const effect of effects) {
      if (effect.kind === "without-relay") without.push(groups[effect.relay]!.name);
      else if (effect.kind === "gather") {
        const { relay: r, message: bytes, straight = false } = effect;
        relayDoes(r, (process) => {
          const { size, sources, above } = places[r]!;
          const request = requestIn(bytes, setting.session, size) as GatherRequest;
          if (straight) process.straight = true;
          process.gathering ??= new Gathering(setting.session, sources, request);
          for (const [source, input] of process.early.splice(0))
            process.gathering.take(source, input);
          passOn(r, process.gathering.ask(request, above !== undefined && !process.straight));
        });
      } else if (effect.kind === "send") {
        const { to, message: bytes, straight = false } = effect;
        carry(() => said(to, people[to]!.receive(bytes), straight));
      } else if (effect.kind === "announce") {
        for (const to of effect.to)
          queue.push(() => said(to, people[to]!.receive(effect.message), false));
      } else if (effect.kind === "opening") openings++;
      else if (effect.kind === "sum") result = { sum: effect.values, included: effect.included };
    }
  };
  people.forEach((person, i) => said(i, person.start(), false));
  while (curator.phase !== "done" && curator.phase !== "failed") {
    const [next] = queue.splice(draw(Math.max(1, queue.length)), 1);
    if (next) next();
    else if (++idle % 4 !== 0) perform(curator.remind());
    else if (++deadlines > 16) break;
    else perform(curator.deadline());
  }
  return { ...result, openings, partials, deadlines, idle, without, values };
}

/** The plain sum of those. */
export function plainOf({ values, included }: Pick<Outcome, "values" | "included">): number[] {
  return Array.from({ length: ENTRIES }, (_, j) =>
    included.reduce((sum, index) => sum + values[index]![j]!, 0),
  );
}
