/**
 * What relays take from the curator of a secure sum: messages, bytes and processor time of a round, with relays and without.
 *
 *   node --expose-gc bench/federation/relays.js [--participants 1000,10000] [--group 100] [--above 10] [--levels 0,1,2]
 *     [--method mp-feature-learning] [--features 30] [--json]
 *
 * The real state machines of the curator and of every relay, all messages in their envelopes; participants are messages that are made as
 * they are sent: their keys and consents with real signatures, sealed shares and masked integers at random. So the sum is never opened,
 * and a round is here what comes before: the last phase is the same with relays and without. --group is the participants of
 * a relay, --above the relays of one above them, --levels how many levels there are, one run after the other; a twentieth may collude and a
 * twentieth be missing, so that everyone has neighbours in a ring. In the end the masked sums are compared, byte by byte. Seconds are the
 * processor's, in the machine alone; a relay's are the mean of all, from the lowest level up.
 */
import { parseArgs } from "../parse-args.js";
import {
  CuratorMachine,
  decodeFrame,
  decodeMessage,
  encodeMessage,
  makePlan,
  newIdentity,
  planHash,
  randomBytesFrom,
  RelayMachine,
} from "../../build/modules/federation/index.js";
import { plannedMethod } from "../../build/modules/federation/protocol/plan/planned-method.js";
import { shareOptionsOf } from "../../build/modules/federation/secure-aggregation/plan/planned.js";
import {
  aggregationTerms,
  termsDigest,
} from "../../build/modules/federation/secure-aggregation/plan/terms.js";
import { parties } from "../../build/modules/federation/secure-aggregation/plan/parties.js";
import { sessionId } from "../../build/modules/federation/secure-aggregation/keys/session.js";
import { signedName } from "../../build/modules/federation/secure-aggregation/attempt/setting.js";
import { sign } from "../../build/modules/federation/secure-aggregation/keys/keys.js";
import { entriesBytes } from "../../build/modules/federation/secure-aggregation/attempt/message-parts.js";
import {
  message,
  SEALED_BYTES,
} from "../../build/modules/federation/secure-aggregation/attempt/messages.js";
import { neighbourhoodOf } from "../../build/modules/federation/secure-aggregation/attempt/ring.js";

const { values: options } = parseArgs({
  options: {
    participants: { type: "string", default: "1000,10000" },
    group: { type: "string", default: "100" },
    above: { type: "string", default: "10" },
    levels: { type: "string", default: "0,1,2" },
    features: { type: "string", default: "30" },
    method: { type: "string", default: "mp-feature-learning" },
    json: { type: "boolean", default: false },
  },
});
const d = Number(options.features);
const group = Number(options.group);
const above = Number(options.above);
const random = randomBytesFrom({ mode: "seeded", seed: "bench" });
const KINDS = { 1: "keys", 2: "keys", 3: "shares", 4: "input", 5: "input", 6: "consent", 7: "consent", 10: "input", 11: "input" }; // prettier-ignore
const PHASES = ["keys", "shares", "input", "consent"];
const session = "5".repeat(32);

/** Relays of every level above the participants, by the number of those beneath. */
const countsOf = (n, levels) =>
  Array.from({ length: levels }, (_, level) => Math.ceil(n / group / above ** level));
const relayName = (level, i) => `r${level}-${i}`;
const relayOf = (participant) => relayName(0, Math.floor(participant / group));

const planOf = (identities, levels) => {
  const n = identities.length;
  const relays = countsOf(n, levels).flatMap((count, level) =>
    level === levels - 1
      ? []
      : Array.from({ length: count }, (_, i) => ({
          name: relayName(level, i),
          relay: relayName(level + 1, Math.floor(i / above)),
        })),
  );
  return makePlan({
    run: "bench",
    method: options.method,
    features: Array.from({ length: d }, (_, i) => `x${i}`),
    tasks: identities.map((_, i) => ({ name: `t${i}`, participant: `p${i}` })),
    options: { delta: 1e-9, rounds: 1, epsilon: 1 },
    aggregation: {
      participants: identities.map((pair, i) => ({
        name: `p${i}`,
        identity: Buffer.from(pair.public).toString("hex"),
        ...(levels > 0 ? { relay: relayOf(i) } : {}),
      })),
      relays,
      colluding: n / 20,
      dropOuts: n / 20,
    },
  });
};

/** The same numbers for a participant in every run. */
function residuesOf(index, bytes) {
  const words = new Uint32Array(bytes / 4);
  let state = index + 1;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer);
}

/** One round up to the consents. */
function measure(identities, levels) {
  const n = identities.length;
  const plan = planOf(identities, levels);
  const hash = planHash(plan);
  const { threshold } = plan.aggregation;
  const numbers = parties({ participants: n, threshold, colluding: n / 20, dropOuts: n / 20 });
  const attempt = sessionId({ plan: hash, run: `bench ${session}`, round: 1, attempt: 1 });
  const { of } = neighbourhoodOf(numbers, attempt);
  const sizes = { m: n, d, rows: 10 * n, mostRows: 10 };
  const { releases } = plannedMethod(plan, sizes);
  const [terms] = aggregationTerms(releases, shareOptionsOf(plan.aggregation));
  const { grid, bits } = terms;
  const named = signedName({ session: attempt, numbers: termsDigest(terms) });
  const entryBytes = (grid.entries * bits) / 8;
  const fresh = () => ({ messagesIn: 0, bytesIn: 0, messagesOut: 0, bytesOut: 0, seconds: 0 });
  const figures = Object.fromEntries(PHASES.map((phase) => [phase, fresh()]));
  let phase = "keys";
  let counting = false;
  const timed = (run) => {
    const before = process.cpuUsage().user;
    const result = run();
    return [result, (process.cpuUsage().user - before) / 1e6];
  };
  const curator = new CuratorMachine({ plan, session });
  const relays = new Map();
  const relaySeconds = countsOf(n, levels).map(() => 0);
  let sum;
  const queue = [];
  const envelope = (participant) => ({ run: "bench", session, plan: hash, participant });
  const say = (from, body) => queue.push(["(curator)", from, encodeMessage(envelope(from), body)]);
  const aggregate = (bytes) => ({ type: "aggregate", round: 1, attempt: 1, bytes });
  const perform = (effects) => {
    for (const effect of effects) {
      if (effect.type === "append") {
        const { header, bytes } = decodeFrame(effect.record, 2 ** 29);
        if (header.type === "opening") sum = bytes.slice(-entryBytes);
      }
      if (effect.type === "repeat") queue.push([effect.to, "(curator)", effect.message()]);
      if (effect.type !== "send" && effect.type !== "broadcast") continue;
      if (counting) {
        // Who is told something is told it in the phase of the answer; the consents end what is measured.
        const decoded = decodeMessage(effect.message);
        const kind = decoded.bytes?.[1];
        const at =
          figures[
            { 2: "shares", 4: "input", 6: "consent", 8: "consent", 10: "input" }[kind] ?? "keys"
          ];
        at.messagesOut++;
        at.bytesOut += effect.message.length;
      }
      const receivers = effect.type === "send" ? [effect.to] : identities.map((_, i) => `p${i}`);
      for (const to of receivers) queue.push([to, "(curator)", effect.message]);
    }
  };
  const toCurator = (from, bytes) => {
    const kind = decodeMessage(bytes).bytes?.[1];
    if (counting) phase = KINDS[kind] ?? phase;
    const [effects, seconds] = timed(() =>
      curator.handle({ type: "message", from, message: bytes }),
    );
    if (counting) {
      const at = figures[phase];
      at.messagesIn++;
      at.bytesIn += bytes.length;
      at.seconds += seconds;
    }
    perform(effects);
  };
  const relaysDo = (name, event) => {
    const [effects, seconds] = timed(() => relays.get(name).handle(event));
    relaySeconds[Number(name[1])] += seconds;
    for (const { type, message: bytes, relay = "(curator)" } of effects) {
      if (type === "send") queue.push([relay, name, bytes]);
    }
  };
  /** What a participant answers. */
  const answer = (index, kind) => {
    const name = `p${index}`;
    const { secret } = identities[index];
    if (kind === undefined) {
      const keys = random(64);
      return say(name, aggregate(message("keys", attempt, keys, sign("keys", named, index, keys, secret)))); // prettier-ignore
    }
    if (kind === 2) {
      const sealed = of(index).map((to) => ({ index: to, bytes: new Uint8Array(SEALED_BYTES) }));
      return say(name, aggregate(message("shares", attempt, random(32), entriesBytes(sealed))));
    }
    if (kind === 4) {
      const input = message("input", attempt, new Uint8Array(4), residuesOf(index, entryBytes));
      const bytes = encodeMessage(envelope(name), aggregate(input));
      const to = levels > 0 ? relayOf(index) : "(curator)";
      return queue.push([to, name, bytes]);
    }
    return undefined;
  };
  perform(curator.handle({ type: "link", state: "up" }));
  for (const [level, count] of countsOf(n, levels).entries()) {
    for (let i = 0; i < count; i++) {
      const name = relayName(level, i);
      relays.set(name, new RelayMachine({ run: "bench", relay: name, agreed: hash }));
      relaysDo(name, { type: "link", state: "up" });
    }
  }
  // Relays agree first: the curator's text of the plan is long, and theirs to read.
  const drain = () => {
    for (let next = queue.shift(); next && !sum; next = queue.shift()) {
      const [to, from, bytes] = next;
      if (to === "(curator)") toCurator(from, bytes);
      else if (to.startsWith("r")) {
        if (from === "(curator)") relaysDo(to, { type: "message", message: bytes, scope: "own" });
        else relaysDo(to, { type: "member", from, message: bytes });
      } else {
        const decoded = decodeMessage(bytes);
        if (decoded.type !== "aggregate") continue;
        const index = Number(to.slice(1));
        const kind = decoded.bytes[1];
        if (kind === 6) {
          const statement = decoded.bytes.subarray(34);
          const consent = sign("included", named, index, statement, identities[index].secret);
          say(to, aggregate(message("consent", attempt, consent)));
        } else answer(index, decoded.bytes.length === 0 ? undefined : kind);
      }
    }
  };
  drain();
  relaySeconds.fill(0);
  for (let i = 0; i < n - 1; i++) say(`p${i}`, { type: "register", tasks: [{ name: `t${i}`, rows: 10 }] }); // prettier-ignore
  drain();
  counting = true;
  say(`p${n - 1}`, { type: "register", tasks: [{ name: `t${n - 1}`, rows: 10 }] });
  drain();
  if (!sum) throw new Error("no sum was to be opened");
  curator.dispose();
  const counts = countsOf(n, levels);
  const relay = relaySeconds.map((seconds, level) => seconds / counts[level]);
  return { figures, sum: Buffer.from(sum).toString("hex"), relays: counts.join(" + ") || 0, relay };
}

const rows = [];
for (const n of options.participants.split(",").map(Number)) {
  const identities = Array.from({ length: n }, () => newIdentity(random));
  const runs = options.levels.split(",").map((levels) => {
    globalThis.gc?.();
    return measure(identities, Number(levels));
  });
  if (new Set(runs.map(({ sum }) => sum)).size > 1) throw new Error("THE MASKED SUMS DIFFER");
  for (const { figures, relays, relay } of runs) {
    for (const phase of PHASES) rows.push({ n, relays, phase, ...figures[phase], relay: phase === "input" ? relay : [] }); // prettier-ignore
  }
}
if (options.json) console.log(JSON.stringify(rows));
else {
  console.table(
    rows.map(
      ({ n, relays, phase, messagesIn, bytesIn, messagesOut, bytesOut, seconds, relay }) => ({
        n,
        relays,
        phase,
        "messages in": messagesIn,
        "KB in": (bytesIn / 1000).toFixed(1),
        "messages out": messagesOut,
        "KB out": (bytesOut / 1000).toFixed(1),
        "curator s": seconds.toFixed(2),
        "a relay s": relay.map((one) => one.toFixed(4)).join(" + "),
      }),
    ),
  );
  console.log("the masked sums are the same, to the byte");
}
