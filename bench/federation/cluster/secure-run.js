/**
 * The run on secure sums over relays that is measured: every process of it makes the same plan, tasks and keys from the same numbers.
 * @module
 */
import { makePlan, newIdentity, planHash, randomBytesFrom } from "../../../build/modules/federation/index.js"; // prettier-ignore
import { simulateTasks } from "../owners.js";
import { RUN } from "./servers.js";

const FEATURES = 30;

/** Names in so many groups of neighbours, by the relay of each. */
const grouped = (names, count, prefix) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `${prefix}${i}`,
      names.filter((_, at) => Math.floor((at * count) / names.length) === i),
    ]),
  );

/** Who is cut off in the round that some are: of all relays, as evenly as they go. */
export const cutOff = (names, { cut }) =>
  names.filter((_, i) => Math.floor((i * cut) / names.length) !== Math.floor(((i + 1) * cut) / names.length)); // prettier-ignore

/**
 * @param settings numbers of `participants`, `rounds`, `relays`, of these `above` others, `colluding`, `dropOuts`, and the `deadline`.
 * @returns tasks, one for each of `names`, their identities, the names beneath every relay, and the plan that all agree to.
 */
export function makeRun(settings) {
  const tasks = simulateTasks(settings.participants, FEATURES);
  const names = tasks.names.map((_, i) => `p${i}`);
  const random = randomBytesFrom({ mode: "seeded", seed: "bench identities" });
  const identities = names.map(() => newIdentity(random));
  const lower = grouped(names, settings.relays, "r");
  const upper = grouped(Object.keys(lower), settings.above, "s");
  const relayOf = new Map(
    Object.entries({ ...lower, ...upper }).flatMap(([relay, of]) => of.map((one) => [one, relay])),
  );
  const plan = makePlan({
    run: RUN,
    method: "mp-low-rank",
    features: tasks.featureNames,
    tasks: tasks.names.map((name, i) => ({ name, participant: names[i] })),
    deadline: settings.deadline,
    options: {
      rounds: settings.rounds,
      epsilon: 1,
      delta: 1e-9,
      safeguard: false,
      random: { mode: "seeded", seed: "bench" },
    },
    aggregation: {
      participants: names.map((name, i) => ({
        name,
        identity: Buffer.from(identities[i].public).toString("hex"),
        ...(relayOf.has(name) ? { relay: relayOf.get(name) } : {}),
      })),
      relays: Object.values(upper).flatMap((of) => of.map((name) => ({ name, relay: relayOf.get(name) }))), // prettier-ignore
      colluding: settings.colluding,
      dropOuts: settings.dropOuts,
    },
  });
  return { tasks, names, identities, relays: { ...lower, ...upper }, relayOf, plan, agreed: planHash(plan) }; // prettier-ignore
}
