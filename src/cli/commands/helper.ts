/**
 * `helper`: the second of two aggregators, beside `curator`, which leads. It has no data, and sees no vector and no sum.
 * @module
 */
import { describePlan } from "../../federation/index.js";
import type { HelperStatus } from "../../federation/verified-sums/index.js";
import { openRunFolder } from "../../node/index.js";
import type { Ledger } from "../../privacy/index.js";
import { agrees } from "../federated/agree.js";
import { withMetrics } from "../operator/party-monitor.js";
import { defineCommand, type Context, type Result, type Values } from "../options/command.js";
import { madeAggregatorKey, openAggregatorKey } from "../federated/identity-file.js";
import { endOf, openConnection, partyOptions, requireNames } from "../federated/nats-options.js";
import { partyLine } from "../federated/party-words.js";
import { openLog, type Log } from "../federated/run-log.js";
import { withinTime } from "../federated/time-limit.js";
import { stateFolder } from "../../node/records/state-folder.js";
import { text } from "../options/values.js";

const options = {
  ...partyOptions,
  name: {
    value: "NAME",
    help: "Your name in the run, as in the plan's aggregation.helper.",
    schema: text("a name"),
    default: "helper",
  },
  key: {
    value: "FILE",
    help:
      "Your secret key, made if the file does not exist. When it is made, or without --nats, its public key for the plan is " +
      "printed, and nothing else is done.",
    schema: text("a file name"),
    required: true,
  },
  state: {
    value: "DIR",
    help:
      "Where to keep what was given out: nothing is given twice. The same command goes on where it stopped. Default: " +
      "helper/RUN/NAME in the folder for states, $XDG_STATE_HOME/mp-mtl.",
    schema: text("a folder"),
  },
} as const;

type HelperValues = Values<typeof options>;

function statusLine(status: HelperStatus): string {
  switch (status.kind) {
    case "refused":
      return `round ${status.round}: refused the report of ${status.reporter}: ${status.why}`;
    case "given":
      return `round ${status.round} of ${status.rounds}: gave its share of a sum of ${status.reports} reports`;
    default:
      return partyLine(status);
  }
}

/** Rounds belong to the bar; the rest is told in lines. */
function watch({ progress }: Context, log: Log): (status: HelperStatus) => void {
  return (status) => {
    log(status, status.kind === "given" ? [] : statusLine(status));
    if (status.kind === "given") progress.update(status.round, status.rounds, "round");
  };
}

/** What its work takes beside options. */
interface Helping {
  readonly key: Uint8Array;
  readonly log: Log;
  readonly io: Context["io"];
  readonly limit: AbortSignal;
  readonly onStatus: (status: HelperStatus) => void;
}

/** Connects, and helps to the end. */
async function help(
  values: HelperValues & { readonly nats: readonly string[] },
  { key, log, io, limit, onStatus }: Helping,
): Promise<Ledger | undefined> {
  const { openNatsParticipant } = await import("../../federation/nats/index.js");
  const { runHelper } = await import("../../federation/verified-sums/index.js");
  const state = values.state ?? stateFolder("helper", values.run, values.name);
  const store = openRunFolder(state, "helper");
  log({ kind: "state", folder: state }, `what was given out is remembered in ${state}`);
  const connection = await openConnection(values, io, log).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const { run, name, accept } = values;
  const transport = openNatsParticipant(connection, { run, name });
  return runHelper({
    run,
    helper: name,
    key,
    transport,
    store,
    ...(accept === undefined ? {} : { agreed: accept }),
    patient: values.timeout !== undefined,
    decide: (plan, hash) => {
      log({ kind: "plan", plan, hash }, describePlan(plan));
      return agrees(io, "Help in this run? [y/N] ", undefined, hash);
    },
    onStatus,
    signal: AbortSignal.any([endOf(transport.closed, io.signal), limit]),
  });
}

async function run(values: HelperValues, context: Context): Promise<Result> {
  const { io } = context;
  const key = await openAggregatorKey(values.key);
  if (key.made || values.nats === undefined) return madeAggregatorKey("helper", values.key, key);
  requireNames(values);
  const log = openLog(values, context);
  const given = { ...values, nats: values.nats! };
  const ledger = await withinTime(values.timeout, (limit) =>
    withMetrics(values, watch(context, log), (onStatus) =>
      help(given, { key: key.secret, log, io, limit, onStatus }),
    ),
  );
  const { run, name } = values;
  const rounds = ledger?.releases ?? 0;
  return {
    document: { run, helper: name, rounds, ledger: ledger?.toJSON() ?? null },
    text: `${name} helped in run "${run}": its share of ${rounds} sums was given out, each once`,
  };
}

export const helperCommand = defineCommand({
  options,
  examples: [
    "helper --key helper.key",
    "helper --nats tls://nats.example.org:4222 --credentials helper.nk --run trial --key helper.key",
  ],
  run,
});
