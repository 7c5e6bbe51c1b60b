/**
 * `curator`: the half of a run that sees models, never data; the participants' is `join`.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { OptionError } from "../../core/index.js";
import {
  describePlan,
  planHash,
  runCurator,
  type CuratorResult,
  type Plan,
  type RunStore,
} from "../../federation/index.js";
import type { NatsConnection } from "../../federation/nats/index.js";
import { checkDirectory, openRunFolder, writeDirectoryAtomically } from "../../node/index.js";
import { openArchives, ownFolder } from "../operator/curator-folder.js";
import { openOperator } from "../operator/open-operator.js";
import { RunMonitor } from "../operator/run-monitor.js";
import { watch } from "../operator/told.js";
import { defineCommand, type Context, type Values } from "../options/command.js";
import { guaranteeLines } from "../fitted/guarantee-text.js";
import { remarksOnReleases } from "../fitted/remarks.js";
import { metricsOption } from "../federated/metrics-option.js";
import { endOf, natsOptions, openConnection } from "../federated/nats-options.js";
import { federated, planOf, planOptions } from "../federated/plan-options.js";
import { EXIT } from "../terminal/exit-code.js";
import { madeAggregatorKey, openAggregatorKey } from "../federated/identity-file.js";
import { audited, openLog, type Log } from "../federated/run-log.js";
import { stateFolder } from "../../node/records/state-folder.js";
import { choice, integer, number, text, yesNo } from "../options/values.js";

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
      "Your secret key for a plan with two aggregators, whose leader you are, made if the file does not exist. When it is made, " +
      "or without a plan, its public key is printed, and nothing else is done.",
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
  remind: {
    value: "SECONDS",
    help:
      "Between reminders to those who have not answered, since a message may be lost: less where servers are often started " +
      "again, more where owners are many and take long.",
    schema: number({ above: 0 }),
    default: 5,
  },
  expelAfter: {
    value: "N",
    help:
      "Deadlines in a row that a participant may let pass before the run goes on without it, for good. Default: nobody is " +
      "expelled by rule; `runs --expel` does it by hand.",
    schema: integer({ min: 1 }),
  },
  maxTasks: {
    value: "N",
    help: "Most tasks of one participant, where the plan does not name the tasks.",
    schema: integer({ min: 1 }),
    default: 1000,
  },
  ...metricsOption,
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
  turned: (store: "answers" | "waits") => void,
): Promise<RunStore> {
  const state = values.state ?? stateFolder("curator", plan.run);
  log({ kind: "state", folder: state }, `charges and releases are kept in ${state}`);
  if (!state.startsWith("kv:")) return openRunFolder(state);
  const { openRunBucket } = await import("../../federation/nats/index.js");
  const onWait = () => {
    turned("waits");
    log(
      { kind: "store-waits" },
      "the bucket does not answer; waiting for it, nothing is published. Its server is away, has no leader, or has no room on its disk, " +
        "of which its log tells",
    );
  };
  const onAnswer = () => {
    turned("answers");
    log({ kind: "store-answers" }, "the bucket answers; the run goes on");
  };
  const replicas = Number(values.replicas);
  return openRunBucket(connection, state.slice(3), { replicas, onWait, onAnswer });
}

/** Who has said so, and who has not. */
function whoHasModels({ finished, unheard }: CuratorResult): string {
  const has =
    finished.length > 0
      ? `models are with ${counted(finished.length, "participant")} (${finished.join(", ")})`
      : "no participant told this process that it has its models";
  if (unheard.length === 0) return has;
  return `${has}; no word from ${unheard.join(", ")}: the same command, started again, serves who comes back`;
}

function documentOf(plan: Plan, { guarantee, ledger, history, finished, unheard }: CuratorResult) {
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
    unheard,
  };
}

/** What is opened after others: if that fails they are closed, without which the process would not end. */
async function orClose<T>(
  opening: Promise<T>,
  ...others: readonly { close(): Promise<void> }[]
): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    for (const one of others) await one.close();
    throw error;
  }
}

/** Runs the plan's rounds over NATS. @returns undefined where the operator stopped it. */
async function serve(
  values: CuratorValues & { readonly nats: readonly string[] },
  { plan, log, leaderKey }: { plan: Plan; log: Log; leaderKey: Uint8Array | undefined },
  context: Context,
): Promise<CuratorResult | undefined> {
  const { io } = context;
  const { openNatsCurator } = await import("../../federation/nats/index.js");
  const inbox = `_INBOX.mpmtl-curator.${plan.run}`;
  const connection = await openConnection(values, io, log, inbox);
  const monitor = new RunMonitor(plan);
  const turned = (to: "answers" | "waits") => monitor.storeTurned(to);
  const store = await orClose(openStore(values, plan, connection, log, turned), connection);
  const transport = openNatsCurator(connection, { run: plan.run });
  const operator = await orClose(openOperator(values, monitor, plan, log), store, transport);
  const note = watch(context, log);
  const running = runCurator({
    plan,
    transport,
    store,
    leaderKey,
    ...openArchives(ownFolder(values.state, plan.run), log),
    patience: {
      remind: 1000 * values.remind,
      linger: 1000 * values.linger,
      expelAfter: values.expelAfter ?? Infinity,
      mostTasks: values.maxTasks,
    },
    onStatus: (status) => {
      monitor.note(status);
      note(status);
    },
    onReady: operator.ready,
    signal: AbortSignal.any([endOf(transport.closed, io.signal), operator.stopped]),
  });
  return running
    .catch((error: unknown) => {
      if (operator.stopped.aborted && error === operator.stopped.reason) return undefined;
      throw error;
    })
    .finally(() => operator.close(io.signal.aborted));
}

async function run(values: CuratorValues, context: Context) {
  const key = values.key === undefined ? undefined : await openAggregatorKey(values.key);
  if (key && (key.made || (values.features === undefined && !values.schema))) {
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
  const result = await serve(
    { ...values, nats: values.nats },
    { plan, log, leaderKey: key?.secret },
    context,
  );
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
    `run "${plan.run}" is done: ${counted(result.history.length, "round")}; ${whoHasModels(result)}`,
    ...guaranteeLines(result.guarantee),
    ...remarksOnReleases(result.history).map((remark) => `remark: ${remark}`),
    ...(values.out === undefined ? [] : [`written to ${values.out}`]),
  ];
  return { document, text: lines.join("\n") };
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
