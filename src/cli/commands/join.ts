/**
 * `join`: the half of a run that has data. Shows the plan and asks; the data stays here.
 * @module
 */
import { NAME_FORM } from "../../federation/protocol/messages/names.js";
import { basename } from "node:path";
import { OptionError } from "../../core/index.js";
import { Pipeline, type DataSchema, type TaskSet } from "../../data/index.js";
import {
  describePlan,
  isParticipantName,
  joinRun,
  planHash,
  RunOverError,
  type ParticipantStatus,
  type Plan,
} from "../../federation/index.js";
import type { FittedModel } from "../../learning/index.js";
import { openRunFolder, readTables } from "../../node/index.js";
import { refusePipe } from "../../node/tables/refuse-pipe.js";
import { agrees } from "../federated/agree.js";
import { withMetrics } from "../operator/party-monitor.js";
import { defineCommand, type Context, type Result } from "../options/command.js";
import { openTable, readOptionsFor, readSchema } from "../tables/read-data.js";
import { guaranteeLines } from "../fitted/guarantee-text.js";
import { openIdentity } from "../federated/identity-file.js";
import { holdsModel } from "../fitted/model-directory.js";
import { holdingPlace, type ModelPlace } from "../fitted/model-place.js";
import { endOf, openConnection, readText } from "../federated/nats-options.js";
import { openLog, type Log } from "../federated/run-log.js";
import { withinTime } from "../federated/time-limit.js";
import { joinOptions, type JoinValues } from "../participant/join-options.js";
import { schemaLine } from "../participant/schema-line.js";
import { pieceReader, taskReader, type TaskReader } from "../participant/task-reader.js";
import { madeIdentity, recordLine, watch } from "../participant/told.js";
import { stateFolder } from "../../node/records/state-folder.js";

function participantName({ name, credentials, data, identity }: JoinValues): string {
  return (
    name ??
    basename(credentials ?? data ?? identity ?? "").replace(
      /\.(nk|creds|key|identity|[ct]sv(\.gz)?|parquet|npy|(svmlight|svm|libsvm)(\.gz)?)$/,
      "",
    )
  );
}

function documentOf(model: FittedModel, plan: Plan, participant: string, train: TaskSet) {
  // All tasks of one command have one epsilon.
  const own = model.forTask(model.taskNames[0]!);
  return {
    run: plan.run,
    hash: planHash(plan),
    participant,
    method: model.method,
    tasks: model.taskNames,
    features: model.d,
    rounds: model.rounds,
    // Of rows that were read in pieces there is none left to score.
    train: train.standFor ? null : model.score(train),
    guarantee: model.guarantee,
    ...(model.owners ? { own: own.guarantee } : {}),
    ...(own.recordGuarantee ? { recordGuarantee: own.recordGuarantee } : {}),
  };
}

/** Says of a model that cannot be written that it is not lost. */
function makesAgain(error: unknown): never {
  if (!(error instanceof OptionError)) throw error;
  throw new OptionError(
    `${error.message} Once it can be written, the same command makes the model again, at no cost, from what the curator published`,
    { cause: error },
  );
}

/** Waits for the end; the error, if an earlier process had done all. */
async function overBefore(running: Promise<unknown>): Promise<RunOverError | undefined> {
  try {
    await running;
    return undefined;
  } catch (error) {
    if (error instanceof RunOverError) return error;
    throw error;
  }
}

/**
 * The result where an earlier process did all and nobody is there any more: no model was read, so none is told of.
 * @throws the error itself if the model is not where this command was to put it.
 */
async function overResult(error: RunOverError, { run, out }: JoinValues, name: string) {
  if (out !== undefined && !(await holdsModel(out))) throw error;
  const where = out === undefined ? "" : `; model in ${out}`;
  return {
    document: { run, participant: name, over: true },
    text: `${name} had its models from run "${run}" before, and the run is over${where}`,
  };
}

const bytesOf = async (path: string) =>
  new TextEncoder().encode((await readText(path, "credentials")).trim());

/** Opens what it remembers, and connects. */
async function openParty(
  values: JoinValues & { readonly nats: readonly string[] },
  participant: string,
  log: Log,
  io: Context["io"],
) {
  const { openNatsParticipant } = await import("../../federation/nats/index.js");
  const { run, state = stateFolder("join", run, participant) } = values;
  const store = openRunFolder(state, "participant");
  log(
    { kind: "state", folder: state },
    `what was agreed to and received is remembered in ${state}`,
  );
  const connection = await openConnection(values, io, log).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  log({ kind: "awaiting-plan" }, `waiting for the plan of run "${run}"`);
  const { credentials } = values;
  // Whoever has the state, but not this key, learns nothing of the rows.
  const own = credentials === undefined ? {} : { rowsKey: await bytesOf(credentials) };
  return { ...own, store, transport: openNatsParticipant(connection, { run, name: participant }) };
}

/** What whoever joined is told. @param out where the model lies, if anywhere. */
function linesOf(
  { participant, tasks, guarantee, own, recordGuarantee }: ReturnType<typeof documentOf>,
  run: string,
  out: string | undefined,
): string[] {
  return [
    `${participant} has the models of ${tasks.join(", ")} from run "${run}"`,
    ...guaranteeLines(own ?? guarantee),
    ...(recordGuarantee ? [recordLine(recordGuarantee)] : []),
    ...(out === undefined ? [] : [`model written to ${out}`]),
  ];
}

/** @throws OptionError where a flag that joining needs is missing, or a name is none. */
function whatIsNeeded({ nats, data, run }: JoinValues, participant: string) {
  if (nats === undefined) throw new OptionError("--nats is needed.");
  if (data === undefined) throw new OptionError("--data is needed.");
  for (const [flag, name] of [["name", participant] as const, ["run", run] as const]) {
    if (!isParticipantName(name)) {
      throw new OptionError(`${flag}: expected ${NAME_FORM}, got ${JSON.stringify(name)}`);
    }
  }
  return { nats, data };
}

/** The table, or what reads it in pieces once there is a plan. */
async function openReader(
  values: JoinValues & { readonly data: string; readonly schema: DataSchema | undefined },
  participant: string,
  log: Log,
  { progress }: Context,
): Promise<TaskReader> {
  const { data, stream } = values;
  if (!stream) return taskReader(await openTable(data, values), values, participant);
  // What is opened more than once can be no pipe, whatever its name says.
  refusePipe(data);
  const open = () => readTables(data, readOptionsFor(data, values));
  return pieceReader(open, values, participant, {
    onTable: (share = 0) => progress.update(Math.floor(100 * share), 100, "percent of the file"),
    onRead: (rows) => {
      log({ kind: "read", rows }, `${rows} rows read once, of which the tasks' moments were kept`);
    },
  });
}

async function run(
  values: JoinValues,
  context: Context,
  place: ModelPlace | undefined,
): Promise<Result> {
  const { io } = context;
  const participant = participantName(values);
  const identity = values.identity === undefined ? undefined : await openIdentity(values.identity);
  if (identity && (identity.made || values.data === undefined)) {
    return madeIdentity(participant, values.identity!, identity);
  }
  const { nats, data } = whatIsNeeded(values, participant);
  const schema = values.ranges === undefined ? undefined : await readSchema(values.ranges);
  const log = openLog(values, context);
  const reader = await openReader({ ...values, data, schema }, participant, log, context);
  let agreed: { plan: Plan; tasks: TaskSet } | undefined;
  let document: ReturnType<typeof documentOf> | undefined;
  let out: string | undefined;
  const takePart = async (onStatus: (status: ParticipantStatus) => void, limit: AbortSignal) => {
    const ownSchema = values.ranges === undefined ? undefined : await schemaLine(values.ranges);
    const { transport, ...kept } = await openParty({ ...values, nats }, participant, log, io);
    const over = new AbortController();
    const signal = AbortSignal.any([endOf(transport.closed, io.signal), limit, over.signal]);
    const running = joinRun({
      run: values.run,
      participant,
      transport,
      data: async (plan) => {
        const onSuits = () => {
          if (ownSchema && !plan.schema) log(...ownSchema);
          log({ kind: "plan", plan, hash: planHash(plan) }, describePlan(plan));
        };
        const tasks = await reader.read(plan, { onSuits, signal });
        agreed = { plan, tasks };
        return tasks;
      },
      ...(values.epsilon === undefined ? {} : { epsilon: values.epsilon }),
      decide: (_plan, hash) =>
        agrees(io, "Join this run with your data? [y/N] ", values.accept, hash),
      ...(values.accept === undefined ? {} : { agreed: values.accept }),
      patient: values.timeout !== undefined,
      ...kept,
      ...(identity === undefined ? {} : { identity: identity.secret }),
      onModel: async (fitted) => {
        const { plan, tasks } = agreed!;
        const pipeline = fitted.preprocessing?.pipeline ?? Pipeline.fit(tasks, []).toJSON();
        const model = fitted.withPreprocessing({ encoding: reader.encoding(), pipeline });
        document = documentOf(model, plan, participant, Pipeline.fromJSON(pipeline).apply(tasks));
        const tell = (warning: string) => io.stderr(`${warning}\n`);
        out = await place?.write(model, tell).catch(makesAgain);
      },
      onStatus,
      signal,
    });
    // Whatever ended it, nobody waits for rows that are still being read.
    await running.finally(() => over.abort());
  };
  const running = withinTime(values.timeout, (limit) =>
    withMetrics(values, watch(context, log), (onStatus) => takePart(onStatus, limit)),
  );
  const over = await overBefore(running);
  if (over) return overResult(over, values, participant);
  return { document, text: linesOf(document!, values.run, out).join("\n") };
}

export const joinCommand = defineCommand({
  options: joinOptions,
  examples: [
    "join --nats tls://nats.example.org:4222 --credentials north.nk --run trial --data mine.csv " +
      "--target score --out model",
  ],
  run: (values, context) => holdingPlace(values.out, (place) => run(values, context, place)),
});
