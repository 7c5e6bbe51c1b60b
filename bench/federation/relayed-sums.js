/**
 * What relays for plain sums take from the curator: its memory and processor time of a round, with relays and without.
 *
 *   node --expose-gc bench/federation/relayed-sums.js [--owners 1000,10000,100000] [--group 1000] [--above 10] [--levels plain,0,1,2]
 *     [--method pmtl] [--features 30] [--rounds 3]
 *
 * The real state machines of the curator and of every relay, all messages in their envelopes; owners are messages that are made as they are
 * sent, of one task each, and everyone answers; every row is a process of its own (--one). "plain" are sums without `aggregation`; 0 levels are sums in any order whose vectors all come to the
 * curator, 1 and 2 have relays of --group owners, and one above each --above of those. Sizes and forms take turns. Relays are there while they
 * add up, and gone when the curator takes what they send, so that "MB" is what the process holds for the curator alone beyond what it held
 * before: when half of a round's messages are in, and when the round before the last is closed. Seconds are the processor's, in the machine alone.
 * In the end what was released with relays is compared with what was without, bit by bit.
 */
import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "../parse-args.js";
import { VERSION } from "../../build/modules/core/index.js";
import { decodeMessage, encodeMessage, makePlan, planHash, RelayMachine } from "../../build/modules/federation/index.js"; // prettier-ignore
import { CuratorMachine } from "../../build/modules/federation/curator/curator-machine.js";
import { canonicalPlan } from "../../build/modules/federation/protocol/plan/plan-hash.js";
import { vectorBytes } from "../../build/modules/federation/relayed-sums/clear-inputs.js";
import { message } from "../../build/modules/federation/secure-aggregation/attempt/messages.js";
import { sessionId } from "../../build/modules/federation/secure-aggregation/keys/session.js";

const { values: options } = parseArgs({
  options: {
    owners: { type: "string", default: "1000,10000,100000" },
    group: { type: "string", default: "1000" },
    above: { type: "string", default: "10" },
    levels: { type: "string", default: "plain,0,1,2" },
    method: { type: "string", default: "pmtl" },
    features: { type: "string", default: "30" },
    rounds: { type: "string", default: "3" },
    one: { type: "boolean", default: false },
  },
});
const [group, above, d, rounds] = ["group", "above", "features", "rounds"].map((name) => Number(options[name])); // prettier-ignore
const session = "5".repeat(32);
const nameOf = (i) => `p${String(i).padStart(7, "0")}`;

/** Bytes that the process holds when nothing is left to collect: some memory is given back a turn later. */
async function held() {
  for (let k = 0; k < 3; k++) {
    await delay(5);
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Names of relays, from the lowest level up, each with those beneath it. */
function treeOf(m, levels) {
  const tree = [];
  let beneath = Array.from({ length: m }, (_, i) => nameOf(i));
  for (let level = 0; level < levels; level++) {
    const size = level === 0 ? group : above;
    const names = Array.from({ length: Math.ceil(beneath.length / size) }, (_, i) => `r${level}-${i}`); // prettier-ignore
    tree.push(names.map((name, i) => ({ name, of: beneath.slice(i * size, (i + 1) * size) })));
    beneath = names;
  }
  return tree;
}

function planOf(m, form, tree) {
  const relayOf = new Map(tree.flat().flatMap(({ name, of }) => of.map((one) => [one, name])));
  const named = (name) => (relayOf.has(name) ? { name, relay: relayOf.get(name) } : { name });
  const participants = Array.from({ length: m }, (_, i) => named(nameOf(i)));
  const relays = tree.slice(0, -1).flatMap((level) => level.map(({ name }) => named(name)));
  return makePlan({
    run: "bench",
    method: options.method,
    minimumTasks: m,
    quorum: 1,
    features: Array.from({ length: d }, (_, j) => `x${j + 1}`),
    options: { rounds, safeguard: false, random: { mode: "seeded", seed: "bench" } },
    ...(form === "plain" ? {} : { aggregation: { kind: "relays", participants, relays } }),
  });
}

async function measure(m, form) {
  const before = await held();
  const tree = treeOf(m, form === "plain" ? 0 : Number(form));
  const plan = planOf(m, form, tree);
  const [hash, text] = [planHash(plan), tree.length > 0 ? canonicalPlan(plan) : ""];
  const machine = new CuratorMachine({ plan, session });
  const envelope = (participant) => ({ run: "bench", session, plan: hash, participant });
  const say = (name, body) => encodeMessage(envelope(name), body);
  /** What relays were asked for in the open round. */
  const asked = new Map();
  let seconds = 0;
  let released;
  const handle = (event) => {
    const start = process.cpuUsage();
    const effects = machine.handle(event);
    const { user, system } = process.cpuUsage(start);
    seconds += (user + system) / 1e6;
    for (const effect of effects) {
      if (effect.type === "send" && effect.to[0] === "r") asked.set(effect.to, effect.message);
      if (effect.type !== "broadcast") continue;
      const said = decodeMessage(effect.message);
      if (said.type === "broadcast") released = said.values;
    }
  };
  const hear = (from, bytes) => handle({ type: "message", from, message: bytes });

  /** What a round's relays send to the curator. */
  function relayed(round, inputOf) {
    const toCurator = [];
    let inputs = inputOf;
    for (const level of tree) {
      const sums = new Map();
      for (const { name, of } of level) {
        const relay = new RelayMachine({ run: "bench", relay: name, agreed: hash });
        const take = (effects) => {
          for (const { type, message: bytes, relay: next } of effects) {
            if (type !== "send") continue;
            if (next !== undefined) sums.set(name, bytes);
            else if (decodeMessage(bytes).type === "aggregate") toCurator.push([name, bytes]);
          }
        };
        take(relay.handle({ type: "link", state: "up" }));
        take(relay.handle({ type: "message", message: say(name, { type: "plan", text, release: VERSION }), scope: "own" })); // prettier-ignore
        take(relay.handle({ type: "message", message: asked.get(name), scope: "own" }));
        for (const from of of) take(relay.handle({ type: "member", from, message: inputs(from) }));
        relay.dispose();
      }
      inputs = (name) => sums.get(name);
    }
    return toCurator;
  }

  handle({ type: "link", state: "up" });
  for (let i = 0; i < m; i++) {
    hear(nameOf(i), say(nameOf(i), { type: "register", tasks: [{ name: nameOf(i), rows: 20 }] }));
  }
  handle({ type: "begin" });
  const registering = seconds;
  seconds = 0;
  const values = Float64Array.from({ length: d }, (_, j) => 0.1 / (j + 1));
  const figures = { messages: 0, bytes: 0, half: 0, closed: 0 };
  // The last round would end the run, and with it what is to be measured.
  for (let round = 1; round < rounds; round++) {
    const bytes = message("input", sessionId({ plan: hash, run: `bench ${session}`, round, attempt: 1 }), vectorBytes(values)); // prettier-ignore
    const inputOf = (name) => say(name, { type: "aggregate", round, attempt: 1, bytes });
    const sums = tree.length > 0 ? relayed(round, inputOf) : undefined;
    const count = sums?.length ?? m;
    for (let i = 0; i < count; i++) {
      const [from, sent] = sums?.[i] ?? [nameOf(i), say(nameOf(i), { type: "upload", round, positions: [i], values })]; // prettier-ignore
      if (i === Math.floor(count / 2)) figures.half = (await held()) - before;
      figures.messages++;
      figures.bytes += sent.length;
      hear(from, sent);
    }
    figures.closed = (await held()) - before;
  }
  const took = rounds - 1;
  machine.dispose();
  const row = {
    owners: m,
    relays: form === "plain" ? "plain sums" : tree.map((level) => level.length).join(" + ") || "0",
    "messages in": figures.messages / took,
    "KB in": (figures.bytes / took / 1000).toFixed(1),
    "s to start": registering.toFixed(2),
    "s a round": (seconds / took).toFixed(4),
    "µs an owner": ((1e6 * seconds) / took / m).toFixed(2),
    "MB, half in": (figures.half / 1e6).toFixed(2),
    "MB, closed": (figures.closed / 1e6).toFixed(2),
    "bytes an owner": Math.round(figures.closed / m),
  };
  return { row, released: Buffer.from(released.buffer).toString("hex") };
}

/** One size and form, in a process of its own: nothing that an earlier one held is given back meanwhile. */
function apart(m, form) {
  const args = ["--expose-gc", "--max-old-space-size=8192", fileURLToPath(import.meta.url)];
  const own = { ...options, owners: String(m), levels: form, one: true };
  const flags = Object.entries(own).flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value])); // prettier-ignore
  const { status, stdout } = spawnSync(process.execPath, [...args, ...flags], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }); // prettier-ignore
  if (status !== 0) throw new Error(`${m} owners, ${form}: the process ended with code ${status}`);
  return JSON.parse(stdout);
}

if (options.one) {
  await measure(500, options.levels); // warms up
  console.log(JSON.stringify(await measure(Number(options.owners), options.levels)));
} else {
  const rows = [];
  for (const m of options.owners.split(",")) {
    const runs = options.levels.split(",").map((form) => ({ form, ...apart(m, form) }));
    rows.push(...runs.map(({ row }) => row));
    const released = runs.filter(({ form }) => form !== "plain").map((run) => run.released);
    if (new Set(released).size > 1) throw new Error("WHAT WAS RELEASED DIFFERS");
  }
  console.log(`${options.method}, ${d} features, ${rounds - 1} rounds`);
  console.table(rows);
  console.log("what was released with relays is the same without, to the bit");
}
