/**
 * `curator`: the half of a run that sees models, never data; the participants' is `join`.
 * @module
 */
import { OptionError } from "../../core/index.js";
import {
  describePlan,
  planHash,
  runCurator,
  type CuratorControl,
  type CuratorResult,
  type CuratorStatus,
  type Plan,
  type RunStore,
} from "../../federation/index.js";
import type { NatsConnection } from "../../federation/nats/index.js";
import { checkDirectory, openRunFolder, writeDirectoryAtomically } from "../../node/index.js";
import { openArchives, ownFolder } from "../operator/curator-folder.js";
import { defineCommand, type Context, type Values } from "../command.js";
import { isTold } from "../../federation/curator/refusals.js";
import { guaranteeLines } from "../guarantee-text.js";
import { endOf, natsOptions, openConnection } from "../nats-options.js";
import { federated, planOf, planOptions } from "../plan-options.js";
import { EXIT } from "../exit-code.js";
import { madeAggregatorKey, openAggregatorKey } from "../identity-file.js";
import { openControl, openMetrics } from "../operator/control-socket.js";
import { RunMonitor } from "../operator/run-monitor.js";
import { audited, openLog, type Log } from "../run-log.js";
import { stateFolder } from "../../node/state-folder.js";
import { choice, integer, number, text, yesNo } from "../values.js";

const OUT_FILES = ["run.json"] as const;

const options = {
  ...natsOptions,
  nats: { ...natsOptions.nats, required: false },
  ...planOptions,
  state: {
    value: "DIR|kv:BUCKET",
    help:
      "Where charges and releases are kept: a folder, or a bucket on the servers; the same command " +
      "goes on where a killed curator stopped, from wherever it is typed. Default: curator/RUN in the folder for " +
      "states, $XDG_STATE_HOME/mp-mtl.",
    schema: text("a folder or kv:BUCKET"),
  },
  replicas: {
    value: "1|3|5",
    help: "With kv:BUCKET on a cluster: servers that keep a copy.",
    schema: choice("1", "3", "5"),
    default: "1" as const,
  },
  key: {
    value: "FILE",
    help:
      "Your secret key for a plan with two aggregators, whose leader you are. If there is no such file it is made. Then, " +
      "and without a plan, its public key is printed, and nothing else is done.",
    schema: text("a file name"),
  },
  linger: {
    value: "SECONDS",
    help:
      "After the last round, how long to wait for participants that have not said that they have " +
      "their models; the same command serves those that come later.",
    schema: number({ above: 0 }),
    default: 60,
  },
  expelAfter: {
    value: "N",
    help:
      "Deadlines in a row that a participant may let pass before the run goes on without it, for good. Default: nobody is " +
      "expelled by rule; `runs expel` does it by hand.",
    schema: integer({ min: 1 }),
  },
  maxTasks: {
    value: "N",
    help: "Most tasks of one participant, where the plan does not name the tasks.",
    schema: integer({ min: 1 }),
    default: 1000,
  },
  metrics: {
    value: "HOST:PORT",
    help: "Serve /metrics (Prometheus) and /health there: counts, no names of participants.",
    schema: text("an address like 127.0.0.1:9464"),
  },
  auditLog: {
    value: "FILE",
    help: "Append every event with its time as a line of JSON, for the owner only.",
    schema: text("a file name"),
  },
  planOnly: {
    help: "Print the plan and its hash, for the participants to agree on, and do nothing else.",
    schema: yesNo(),
    default: false,
  },
  out: {
    value: "DIR",
    help: "Where to write run.json: plan, guarantee, ledger, history. A curator has no models.",
    schema: text("a directory name"),
  },
} as const;

type CuratorValues = Values<typeof options>;

/** Opens what `--state` names. */
async function openStore(
  values: CuratorValues,
  plan: Plan,
  connection: NatsConnection,
  log: Log,
): Promise<RunStore> {
  const state = values.state ?? stateFolder("curator", plan.run);
  log({ kind: "state", folder: state }, `charges and releases are kept in ${state}`);
  if (!state.startsWith("kv:")) return openRunFolder(state);
  const { openRunBucket } = await import("../../federation/nats/index.js");
  const onWait = () => log({ kind: "store-waits" }, "the bucket's server is away; waiting for it");
  return openRunBucket(connection, state.slice(3), { replicas: Number(values.replicas), onWait });
}

function statusLine(status: CuratorStatus): string {
  switch (status.kind) {
    case "registered":
      return `${status.participant} registered ${status.tasks} task(s)`;
    case "refused":
      return status.times === undefined
        ? `refused a message of ${status.participant}: ${status.why}`
        : `refused ${status.times} messages of ${status.participant}, the last: ${status.why}`;
    case "left":
      return `${status.participant} left`;
    case "expelled":
      return (
        `${status.participant} was expelled` +
        (status.deadlines === undefined ? "" : `: no answer in ${status.deadlines} deadlines`)
      );
    case "started":
      return `started with ${status.tasks} tasks of ${status.participants} participants`;
    case "resumed":
      return `resumed after round ${status.round}`;
    case "round":
      return `round ${status.round} of ${status.rounds} is open for ${status.expected} tasks`;
    case "closed":
      return (
        `round ${status.round} closed: ${status.present} of ${status.expected} tasks uploaded` +
        (status.clipped > 0 ? `, ${status.clipped} clipped here` : "")
      );
    case "paused":
      return (
        `round ${status.round} waits: ${status.present} tasks uploaded, ${status.needed} needed; ` +
        `missing: ${status.missing.join(", ")}`
      );
    case "attempt-failed":
      return (
        `round ${status.round}: attempt ${status.attempt} at its sum failed, nothing was opened: ` +
        `${status.why}` +
        (status.culprits.length > 0 ? `; left out from now on: ${status.culprits.join(", ")}` : "")
      );
    case "awaiting-shares":
      return (
        `round ${status.round} waits for shares of ${status.missing.join(", ") || "nobody"}` +
        (status.culprits.length > 0 ? `; wrong ones about ${status.culprits.join(", ")}` : "")
      );
    case "awaiting-helper":
      return (
        `round ${status.round} waits for the helper, ` +
        (status.reports > 0 ? `to check ${status.reports} reports` : "for its share of the sum")
      );
    case "link":
      return status.state === "up"
        ? "connected"
        : "the connection is lost; the run waits, nothing is charged";
    case "finished":
      return `${status.participant} has its models`;
  }
}

/** Rounds belong to the bar; the rest is told in lines. */
function watch({ progress }: Context, log: Log): (status: CuratorStatus) => void {
  let rounds = 0;
  const changes = new Map<string, number>();
  /** Who registers and leaves without end must not fill the disk. */
  const isOften = (status: CuratorStatus) => {
    if (status.kind !== "registered" && status.kind !== "left") return false;
    const count = (changes.get(status.participant) ?? 0) + 1;
    changes.set(status.participant, count);
    return !isTold(count);
  };
  return (status) => {
    if (isOften(status)) return;
    if (status.kind === "round") rounds = status.rounds;
    log(status, status.kind === "round" || status.kind === "closed" ? [] : statusLine(status));
    if (status.kind === "closed") progress.update(status.round, rounds, "round");
  };
}

function documentOf(plan: Plan, { guarantee, ledger, history, finished }: CuratorResult) {
  const hash = planHash(plan);
  const format = { format: "mp-mtl-run", version: 1 };
  return {
    ...format,
    run: plan.run,
    plan,
    hash,
    guarantee,
    ledger: ledger.toJSON(),
    history,
    finished,
  };
}

async function run(values: CuratorValues, context: Context) {
  const { io } = context;
  const key = values.key === undefined ? undefined : await openAggregatorKey(values.key);
  if (key && (key.made || values.features === undefined)) {
    return madeAggregatorKey("leader", values.key!, key);
  }
  const { plan, why } = planOf(values, context.given);
  const hash = planHash(plan);
  const words = [
    ...(why === null ? [] : [`auto takes ${plan.method}: ${why}`]),
    ...describePlan(plan),
  ];
  if (values.planOnly)
    return { document: { plan, hash, ...(why === null ? {} : { why }) }, text: words.join("\n") };
  if (values.nats === undefined) throw new OptionError("--nats is needed.");
  if (values.out !== undefined) await checkDirectory(values.out, OUT_FILES);

  const log = audited(openLog(values, context), values.auditLog);
  log({ kind: "plan", hash }, words);
  const { openNatsCurator } = await import("../../federation/nats/index.js");
  const inbox = `_INBOX.mpmtl-curator.${plan.run}`;
  const connection = await openConnection({ ...values, nats: values.nats }, io, inbox);
  const store = await openStore(values, plan, connection, log).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const transport = openNatsCurator(connection, { run: plan.run });
  const operator = await operate(values, plan, log);
  const note = watch(context, log);
  const running = runCurator({
    plan,
    transport,
    store,
    leaderKey: key?.secret,
    ...openArchives(ownFolder(values.state, plan.run), log),
    patience: {
      linger: 1000 * values.linger,
      expelAfter: values.expelAfter ?? Infinity,
      mostTasks: values.maxTasks,
    },
    onStatus: (status) => {
      operator.monitor.note(status);
      note(status);
    },
    onReady: operator.ready,
    signal: AbortSignal.any([endOf(transport.closed, io.signal), operator.stopped]),
  });
  const result = await running
    .catch((error: unknown) => {
      if (operator.stopped.aborted && error === operator.stopped.reason) return undefined;
      throw error;
    })
    .finally(operator.close);
  if (!result) {
    const words = "stopped by the operator; the same command goes on";
    return { document: { stopped: true, run: plan.run }, text: words, exitCode: EXIT.interrupted };
  }
  const document = documentOf(plan, result);
  if (values.out !== undefined) {
    await writeDirectoryAtomically(values.out, {
      [OUT_FILES[0]]: `${JSON.stringify(document, null, 2)}\n`,
    });
  }
  const lines = [
    `run "${plan.run}" is done: ${result.history.length} rounds; ${result.finished.length} ` +
      `participants have their models (${result.finished.join(", ")})`,
    ...guaranteeLines(result.guarantee),
    ...(values.out === undefined ? [] : [`written to ${values.out}`]),
  ];
  return { document, text: lines.join("\n") };
}

/** The socket by which `runs` reaches this curator, and the port with metrics. */
async function operate(values: CuratorValues, plan: Plan, log: Log) {
  const monitor = new RunMonitor(plan);
  const stop = new AbortController();
  let control: CuratorControl | undefined;
  const said = (deed: string, work: () => void) => {
    log({ kind: "operator", deed }, `the operator asked: ${deed}`);
    work();
  };
  const folder = ownFolder(values.state, plan.run);
  const closers: (() => void)[] = [];
  const steer = {
    stop: () => said("stop", () => stop.abort(new Error("stopped by the operator"))),
    begin: () => said("begin", () => control?.begin()),
    expel: (name: string) => said(`expel ${name}`, () => control?.expel(name)),
    spent: () => {
      const ledger = control?.ledger();
      return ledger && { ...ledger.spent(), of: ledger.epsilon };
    },
    ledger: () => control?.ledger()?.toJSON(),
  };
  try {
    closers.push(await openControl(folder, monitor, steer));
  } catch (error) {
    // A path too long for a socket, or a file system without them: the run does not depend on it.
    const why = (error as Error).message;
    log({ kind: "no-control", why }, `\`mp-mtl runs\` cannot reach this curator: ${why}`);
  }
  if (values.metrics !== undefined) closers.push(await openMetrics(values.metrics, monitor));
  return {
    monitor,
    stopped: stop.signal,
    ready: (given: CuratorControl) => (control = given),
    close: () => closers.forEach((close) => close()),
  };
}

export const curatorCommand = defineCommand({
  options,
  dependent: federated.dependent,
  examples: [
    "curator --nats tls://nats.example.org:4222 --credentials curator.nk --config plan.json",
    "curator --config plan.json --plan-only",
  ],
  run,
});
