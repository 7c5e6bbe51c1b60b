/**
 * What owners cost a curator: its real state machine alone, owners being messages that are made as they are sent.
 *
 *   node --expose-gc bench/federation/curator.js [--owners 1000,10000,100000] [--method pmtl] [--features 30] [--rounds 5]
 *
 * Every owner has one task, and everyone answers in every round. Times are the processor's, in the machine alone. "MB" is what
 * the process holds beyond what it held before the first owner came (heap and buffers), after the first round and after the last:
 * what grows with rounds shows between the two. "record" is the largest that the curator's store is given, "a round's" the
 * largest of a round.
 */
import { parseArgs } from "../parse-args.js";
import { makePlan, planHash } from "../../build/modules/federation/index.js";
import { CuratorMachine } from "../../build/modules/federation/curator/curator-machine.js";
import { encodeMessage } from "../../build/modules/federation/protocol/messages/message-bytes.js";

const { values: options } = parseArgs({
  options: {
    owners: { type: "string", default: "1000,10000,100000" },
    method: { type: "string", default: "pmtl" },
    features: { type: "string", default: "30" },
    rounds: { type: "string", default: "5" },
  },
});
const d = Number(options.features);
const rounds = Number(options.rounds);

/** Bytes that the process holds when nothing is left to collect. */
function held() {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function measure(m) {
  const before = held();
  const plan = makePlan({
    run: "bench",
    method: options.method,
    features: Array.from({ length: d }, (_, j) => `x${j + 1}`),
    minimumTasks: m,
    quorum: 0.8,
    options: { rounds, safeguard: false, random: { mode: "seeded", seed: "bench" } },
  });
  const machine = new CuratorMachine({ plan, session: "0".repeat(32) });
  const envelope = { run: "bench", session: machine.session, plan: planHash(plan) };
  const name = (i) => `p${String(i).padStart(7, "0")}`;
  const message = (i, body) => encodeMessage({ ...envelope, participant: name(i) }, body);
  let milliseconds = 0;
  const handle = (event) => {
    const start = process.cpuUsage();
    const effects = machine.handle(event);
    const { user, system } = process.cpuUsage(start);
    milliseconds += (user + system) / 1000;
    return effects;
  };
  const largest = (effects, type, field) =>
    effects
      .filter((effect) => effect.type === type)
      .reduce((most, effect) => Math.max(most, effect[field].length), 0);
  const take = () => {
    const taken = milliseconds;
    milliseconds = 0;
    return taken;
  };
  handle({ type: "link", state: "up" });
  for (let i = 0; i < m; i++) {
    const register = message(i, { type: "register", tasks: [{ name: name(i), rows: 20 }] });
    handle({ type: "message", from: name(i), message: register });
  }
  const registering = take();
  const started = handle({ type: "begin" });
  const starting = take();
  const startMessage = largest(started, "send", "message");
  const members = largest(started, "append", "record");
  started.length = 0;
  const values = Float64Array.from({ length: d }, (_, j) => 0.1 / (j + 1));
  const bytes = { upload: 0, broadcast: 0, record: 0 };
  let [answering, closing, first] = [0, 0, 0];
  for (let round = 1; round <= rounds; round++) {
    for (let i = 0; i < m; i++) {
      const upload = message(i, { type: "upload", round, positions: [i], values });
      if (i === m - 1) answering += take();
      const effects = handle({ type: "message", from: name(i), message: upload });
      if (i < m - 1) continue;
      closing += take();
      bytes.upload = upload.length;
      if (round === rounds) continue; // its broadcast holds the guarantee, too
      bytes.broadcast = largest(effects, "broadcast", "message");
      bytes.record = largest(effects, "append", "record");
    }
    if (round === 1) first = held() - before;
  }
  const last = held() - before;
  machine.dispose();
  return {
    owners: m,
    "registering, µs an owner": ((1000 * registering) / m).toFixed(1),
    "starting, µs an owner": ((1000 * starting) / m).toFixed(1),
    "answer, µs": ((1000 * answering) / m / rounds).toFixed(1),
    "closing, ms": (closing / rounds).toFixed(1),
    "s a round": ((answering + closing) / rounds / 1000).toFixed(2),
    "MB, first round": (first / 1e6).toFixed(1),
    "MB, last": (last / 1e6).toFixed(1),
    "bytes an owner": Math.round(last / m),
    "upload, bytes": bytes.upload,
    "start, bytes": startMessage,
    "broadcast, bytes": bytes.broadcast,
    "record, bytes": members,
    "a round's, bytes": bytes.record,
  };
}

measure(1000); // warms up
const rows = options.owners.split(",").map((owners) => measure(Number(owners)));
console.log(`${options.method}, ${d} features, ${rounds} rounds`);
for (const column of Object.keys(rows[0])) {
  console.log(
    `${column.padEnd(26)}${rows.map((row) => String(row[column]).padStart(14)).join("")}`,
  );
}
