/**
 * The inputs of one attempt at a secure sum over a tree of relays, for as many participants as a plan may have: what comes to the
 * curator, how many deadlines pass, and whose time it takes.
 *
 *   node --expose-gc bench/federation/relay-tree.js [--participants 100000] [--group 1000] [--above 10] [--features 30] [--json]
 *
 * The real state machine of every relay, messages in their envelopes, and the part of the curator's that takes in inputs
 * (`RelayedInputs`); inputs are masked integers at random. Keys, secret shares and consents, which are the same with relays and without,
 * are left out: for these see `relays.js`. First everyone is there; then a relay, a relay above others and one participant in a thousand
 * are not. The sums are compared with that of all inputs that arrived, byte by byte. Seconds are the processor's.
 */
import { parseArgs } from "../parse-args.js";
import { VERSION } from "../../build/modules/core/index.js";
import {
  decodeMessage,
  encodeMessage,
  makePlan,
  planHash,
  randomBytesFrom,
  RelayMachine,
} from "../../build/modules/federation/index.js";
import { canonicalPlan } from "../../build/modules/federation/protocol/plan/plan-hash.js";
import { plannedMethod } from "../../build/modules/federation/protocol/plan/planned-method.js";
import { relayGroups } from "../../build/modules/federation/relays/plan/groups.js";
import { RelayedInputs } from "../../build/modules/federation/relays/relayed-inputs.js";
import { aggregationTerms } from "../../build/modules/federation/secure-aggregation/plan/terms.js";
import { sessionId } from "../../build/modules/federation/secure-aggregation/keys/session.js";
import { message } from "../../build/modules/federation/secure-aggregation/attempt/messages.js";
import { shareOptionsOf } from "../../build/modules/federation/secure-aggregation/plan/planned.js";
import { addResidues, parseResidues, residues } from "../../build/modules/federation/secure-aggregation/integers/residues.js"; // prettier-ignore

const { values: options } = parseArgs({
  options: {
    participants: { type: "string", default: "100000" },
    group: { type: "string", default: "1000" },
    above: { type: "string", default: "10" },
    features: { type: "string", default: "30" },
    json: { type: "boolean", default: false },
  },
});
const [n, group, above, d] = ["participants", "group", "above", "features"].map((name) => Number(options[name])); // prettier-ignore
const random = randomBytesFrom({ mode: "seeded", seed: "bench" });
const lower = Math.ceil(n / group);
const plan = makePlan({
  run: "bench",
  method: "mp-feature-learning",
  features: Array.from({ length: d }, (_, i) => `x${i}`),
  minimumTasks: n,
  registration: 600,
  options: { delta: 1e-9, rounds: 1, epsilon: 1 },
  aggregation: {
    participants: Array.from({ length: n }, (_, i) => ({
      name: `p${i}`,
      identity: Buffer.from(random(32)).toString("hex"),
      relay: `r${Math.floor(i / group)}`,
    })),
    relays: Array.from({ length: lower }, (_, i) => ({ name: `r${i}`, relay: `s${Math.floor(i / above)}` })), // prettier-ignore
    colluding: Math.floor(n / 20),
    dropOuts: Math.floor(n / 20),
  },
});
const session = "5".repeat(32);
const [hash, text] = [planHash(plan), canonicalPlan(plan)];
const groups = relayGroups(plan.aggregation);
const attempt = sessionId({ plan: hash, run: `bench ${session}`, round: 1, attempt: 1 });
const { releases } = plannedMethod(plan, { m: n, d, rows: 10 * n, mostRows: 10 });
const [{ grid, bits }] = aggregationTerms(releases, shareOptionsOf(plan.aggregation));
const setting = { session: attempt, entries: grid.entries, bits };
const envelope = (participant) => ({ run: "bench", session, plan: hash, participant });
const aggregate = (bytes, straight) => ({ type: "aggregate", round: 1, attempt: 1, bytes, ...(straight ? { straight } : {}) }); // prettier-ignore

/** The same numbers for a participant in every run. */
function residuesOf(index) {
  const words = new Uint32Array((grid.entries * bits) / 32);
  let state = index + 1;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return words;
}

const timed = (figures, name, work) => {
  const before = process.cpuUsage().user;
  const result = work();
  figures[name] += (process.cpuUsage().user - before) / 1e6;
  return result;
};

/** Machines that have agreed to the plan; who is absent never hears of anything. */
function startRelays() {
  return new Map(
    groups.map(({ name }) => {
      const machine = new RelayMachine({ run: "bench", relay: name, agreed: hash });
      machine.handle({ type: "link", state: "up" });
      const offer = encodeMessage(envelope(name), { type: "plan", text, release: VERSION });
      const said = machine.handle({ type: "message", message: offer, scope: "own" });
      if (!said.some(({ type }) => type === "send")) throw new Error("a relay does not agree");
      return [name, machine];
    }),
  );
}

function measure(relays, absent, isAbsent) {
  const figures = { curator: 0, relays: 0, above: 0, messages: 0, bytes: 0, deadlines: 0, without: 0 }; // prettier-ignore
  const [expected, counted] = [new Set(Array.from({ length: n }, (_, i) => i)), new Set()];
  const sum = residues(grid.entries, bits);
  const queue = [];
  let at = 0;
  const inputs = new RelayedInputs({
    setting,
    groups,
    straight: new Set(),
    isAwaited: (index) => expected.has(index) && !counted.has(index),
    inbox: (to) => ({ kind: "send", to }),
  });
  const numbers = new Map(groups.map(({ name }, i) => [name, i]));
  const perform = (effects) => {
    for (const effect of effects) {
      if (effect.kind === "without-relay") figures.without++;
      else if (effect.kind === "gather") {
        const { name } = groups[effect.relay];
        const told = encodeMessage(envelope(name), aggregate(effect.message, effect.straight));
        if (!absent.has(name)) queue.push([name, { type: "message", message: told, scope: "own" }]);
      } else if (!isAbsent(effect.to)) {
        const { to, straight } = effect;
        const own = plan.aggregation.participants[to];
        queue.push([straight ? undefined : own.relay, to]);
      }
    }
  };
  const toCurator = (bytes, from) => {
    figures.messages++;
    figures.bytes += bytes.length;
    timed(figures, "curator", () => {
      const { bytes: said } = decodeMessage(bytes);
      if (typeof from === "number") {
        const words = parseResidues(said.subarray(38), grid.entries, bits);
        if (inputs.isRelayed(from) || counted.has(from)) return;
        addResidues(sum, words, bits, 1);
        counted.add(from);
        return;
      }
      const taken = inputs.receive(numbers.get(from), said);
      if (!("sum" in taken)) return perform(taken);
      addResidues(sum, taken.sum, bits, 1);
      for (const member of taken.members) counted.add(member);
      for (const member of taken.gone) expected.delete(member);
      perform(taken.asked);
    });
  };
  const say = (to) => {
    const input = message("input", attempt, new Uint8Array(4), new Uint8Array(residuesOf(to).buffer)); // prettier-ignore
    return encodeMessage(envelope(`p${to}`), aggregate(input));
  };
  const run = () => {
    for (; at < queue.length; at++) {
      const [relay, event] = queue[at];
      queue[at] = undefined;
      if (relay === undefined) {
        toCurator(event.bytes ?? say(event), event.from ?? event);
        continue;
      }
      if (absent.has(relay)) continue;
      const told = typeof event === "number" ? { type: "member", from: `p${event}`, message: say(event) } : event; // prettier-ignore
      const of = relay[0] === "s" ? "above" : "relays";
      const effects = timed(figures, of, () => relays.get(relay).handle(told));
      for (const { type, message: bytes, relay: next } of effects) {
        if (type !== "send") continue;
        if (next === undefined) queue.push([undefined, { bytes, from: relay }]);
        else queue.push([next, { type: "member", from: relay, message: bytes }]);
      }
    }
  };
  timed(figures, "curator", () => perform(inputs.begin()));
  for (let i = 0; i < n; i++) perform([inputs.inbox(i)]);
  run();
  for (; ; figures.deadlines++) {
    const effects = timed(figures, "curator", () => inputs.hurry());
    if (effects.length === 0) break;
    perform(effects);
    run();
  }
  const plain = residues(grid.entries, bits);
  for (const index of counted) addResidues(plain, residuesOf(index), bits, 1);
  if (!Buffer.from(sum.buffer).equals(Buffer.from(plain.buffer)))
    throw new Error("THE SUMS DIFFER");
  return { ...figures, inputs: counted.size, words: groups.length };
}

const rows = [];
const dead = [new Set(), new Set(["r1", "s1"])];
for (const [i, isAbsent] of [() => false, (index) => index % 1000 === 7].entries()) {
  const relays = startRelays();
  globalThis.gc?.();
  rows.push({ n, lower, upper: groups.length - lower, absent: dead[i].size, ...measure(relays, dead[i], isAbsent) }); // prettier-ignore
}
if (options.json) console.log(JSON.stringify(rows));
else {
  console.table(
    rows.map((row) => ({
      n: row.n,
      relays: `${row.lower} + ${row.upper}`,
      absent: row.absent,
      "in the sum": row.inputs, // prettier-ignore
      deadlines: row.deadlines,
      "done without": row.without,
      "messages in": row.messages,
      "KB in": (row.bytes / 1000).toFixed(1),
      "curator s": row.curator.toFixed(2),
      "a relay s": `${(row.relays / row.lower).toFixed(3)} + ${(row.above / row.upper).toFixed(3)}`,
    })),
  );
  console.log("the sums are those of all inputs in them, to the byte");
}
