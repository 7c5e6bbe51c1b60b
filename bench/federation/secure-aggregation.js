/**
 * What a secure sum costs one participant and the curator: processor time, and bytes.
 *
 *   npm run build && node bench/federation/secure-aggregation.js [--full] [--json]
 *
 * The participant is a real one among peers whose messages are made beforehand, so its time is its own; with k neighbours in a
 * ring (--full: up to n = 10,000) or with everyone. The curator's time is measured in whole runs (n = 10; with --full n = 100 too, which takes a
 * minute), with a tenth of the participants dropping out after they dealt shares.
 */
import { parseArgs } from "../parse-args.js";
import { AggregationCurator } from "../../build/modules/federation/secure-aggregation/attempt/curator.js";
import { AggregationParticipant } from "../../build/modules/federation/secure-aggregation/attempt/participant.js";
import {
  createSetting,
  signedName,
} from "../../build/modules/federation/secure-aggregation/attempt/setting.js";
import {
  newIdentity,
  agreedKey,
  keyPair,
  seal,
  sign,
} from "../../build/modules/federation/secure-aggregation/keys/keys.js";
import { parties } from "../../build/modules/federation/secure-aggregation/plan/parties.js";
import { randomBytesFrom } from "../../build/modules/federation/secure-aggregation/keys/random-bytes.js";
import {
  sessionId,
  uint32,
} from "../../build/modules/federation/secure-aggregation/keys/session.js";
import { agreementOf } from "../../build/modules/federation/secure-aggregation/keys/key-agreement.js";
import {
  entriesBytes,
  setBytes,
} from "../../build/modules/federation/secure-aggregation/attempt/message-parts.js";
import { message } from "../../build/modules/federation/secure-aggregation/attempt/messages.js";
import { neighbourhoodOf } from "../../build/modules/federation/secure-aggregation/attempt/ring.js";

const { values: options } = parseArgs({
  options: { full: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
});
const random = randomBytesFrom({ mode: "seeded", seed: "bench" });
const session = sessionId({ plan: "bench", run: "bench", round: 1, attempt: 1 });

/** Milliseconds of processor time: a busy machine changes it less than the clock's. */
const now = () => process.cpuUsage().user / 1000;
const concat = (...parts) => Uint8Array.from(Buffer.concat(parts));

/** @param dropOuts those a ring bears; without it everyone is everyone's neighbour. */
function settingOf(n, d, identities, dropOuts) {
  const numbers = parties({ participants: n, colluding: Math.floor(n / 20), dropOuts });
  return createSetting({
    parties: numbers,
    identities: identities.map((identity) => identity.public),
    neighbourhood: neighbourhoodOf(numbers, session),
    session,
    numbers: new Uint8Array(32),
    entries: (d * (d + 1)) / 2,
    bits: 64,
  });
}

/** One participant's steps, each timed, against peers that exist as messages only. */
function participant(n, d, identities, dropOuts) {
  const setting = settingOf(n, d, identities, dropOuts);
  const { threshold } = setting.parties;
  const values = new Float64Array(setting.entries).fill(1);
  const peers = setting.neighbourhood.of(0);
  const keys = peers.map((index) => {
    const [sealing, mask] = [keyPair(random), keyPair(random)];
    const both = concat(sealing.public, mask.public);
    const signature = sign("keys", signedName(setting), index, both, identities[index].secret);
    return { sealing, mask, bytes: concat(both, signature) };
  });
  const times = {};
  const bytes = { sent: 0, received: 0 };
  let machine;
  const step = (name, run) => {
    const start = now();
    const effects = run();
    times[name] = now() - start;
    const reply = effects.find(({ kind }) => kind === "send")?.message;
    if (!reply) throw new Error(`${name}: ${JSON.stringify(effects)}`);
    bytes.sent += reply.length;
    return reply;
  };
  const receive = (name, text) => {
    bytes.received += text.length;
    return step(name, () => machine.receive(text));
  };
  const own = step("keys", () => {
    const identity = identities[0].secret;
    machine = new AggregationParticipant({ setting, index: 0, identity, values, random });
    return machine.start();
  });
  const mine = own.slice(34, 66);
  const roster = entriesBytes(peers.map((index, i) => ({ index, bytes: keys[i].bytes })));
  receive("shares", message("roster", session, roster));
  const text = new Uint8Array(64).fill(1);
  const sealed = peers.map((index, i) => {
    const { sealing } = keys[i];
    const order = [sealing.public, mine];
    const key = agreedKey(session, "sealed shares", agreementOf(sealing), mine, order);
    return { index, bytes: seal(key, text, concat(session, uint32(index), uint32(0))) };
  });
  receive("input", message("inbox", session, entriesBytes(sealed)));
  const all = setBytes(identities.keys(), n);
  const statement = concat(all, all);
  receive("consent", message("included", session, statement));
  const consents = identities.slice(0, threshold).map(({ secret }, index) => ({
    index,
    bytes: sign("included", signedName(setting), index, statement, secret),
  }));
  receive("reveal", message("consents", session, entriesBytes(consents)));
  const seconds = Object.values(times).reduce((a, b) => a + b) / 1000;
  return { n, d, neighbours: peers.length, seconds, ...bytes, times };
}

/** A whole run; the time spent in the curator's machine. */
function curator(n, d, dropped, identities, dropOuts) {
  const setting = settingOf(n, d, identities, dropOuts);
  const machine = new AggregationCurator({ setting });
  const values = new Float64Array(setting.entries).fill(3);
  const people = identities
    .slice(0, n)
    .map(
      (identity, index) =>
        new AggregationParticipant({ setting, index, identity: identity.secret, values, random }),
    );
  let milliseconds = 0;
  let unmasking = 0;
  const timed = (run) => {
    const start = now();
    const effects = run();
    const took = now() - start;
    milliseconds += took;
    if (effects.some(({ kind }) => kind === "sum")) unmasking = took;
    return effects;
  };
  let sum;
  const queue = [];
  const take = (effects) => {
    for (const effect of effects) {
      if (effect.kind === "sum") sum = effect;
      if (effect.kind !== "send" && effect.kind !== "announce") continue;
      for (const to of [effect.to].flat()) {
        for (const answer of people[to].receive(effect.message)) {
          const gone = to < dropped && machine.phase === "input";
          if (answer.kind === "send" && !gone) queue.push([to, answer.message]);
        }
      }
    }
  };
  people.forEach((person, index) => queue.push([index, person.start()[0].message]));
  while (!sum) {
    const next = queue.shift();
    take(timed(() => (next ? machine.receive(...next) : machine.deadline())));
  }
  if (sum.values[0] !== 3 * (n - dropped)) throw new Error("the sum is wrong");
  const neighbours = setting.neighbourhood.of(0).length;
  return { n, d, neighbours, dropped, seconds: milliseconds / 1000, unmasking: unmasking / 1000 };
}

const identities = Array.from({ length: options.full ? 10_000 : 1000 }, () => newIdentity(random));
const cases = [10, 100, 1000].flatMap((n) => [30, 300].map((d) => [n, d]));
/** With a twentieth of the participants colluding and as many missing. */
const rings = (options.full ? [100, 1000, 10_000] : [100, 1000]).map((n) => [n, 30, n / 20]);
participant(10, 30, identities.slice(0, 10)); // warms up
const rows = [...cases, ...rings].map(([n, d, dropOuts]) =>
  participant(n, d, identities.slice(0, n), dropOuts),
);
const runs = (options.full ? [10, 100] : [10]).flatMap((n) =>
  (n === 10 ? [30, 300] : [30]).flatMap((d) =>
    [0, n / 10].map((dropped) => curator(n, d, dropped, identities.slice(0, n))),
  ),
);
if (options.full) runs.push(...[0, 5].map((dropped) => curator(100, 30, dropped, identities.slice(0, 100), 5))); // prettier-ignore
if (options.json) console.log(JSON.stringify({ participants: rows, curators: runs }));
else {
  console.table(
    rows.map(({ n, d, neighbours, seconds, sent, received, times }) => ({
      n,
      d,
      neighbours,
      seconds: seconds.toFixed(2),
      "KB sent": (sent / 1000).toFixed(1),
      "KB received": (received / 1000).toFixed(1),
      ...Object.fromEntries(Object.entries(times).map(([k, ms]) => [`${k} ms`, ms.toFixed(0)])),
    })),
  );
  console.table(
    runs.map(({ n, d, neighbours, dropped, seconds, unmasking }) => ({
      n,
      d,
      neighbours,
      dropped,
      "curator s": seconds.toFixed(2),
      "of it unmasking s": unmasking.toFixed(2),
    })),
  );
}
