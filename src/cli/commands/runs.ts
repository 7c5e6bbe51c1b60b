/**
 * `runs`: the operator's view of the curator's runs on this machine, live or at rest, or of one whose records are in a bucket, and
 * what may be done with them.
 * @module
 */
import { NAME_FORM } from "../../federation/protocol/messages/names.js";
import { existsSync, readdirSync } from "node:fs";
import { OptionError } from "../../core/index.js";
import { unlessAborted } from "../../core/unless-aborted.js";
import { writeFileAtomically } from "../../node/index.js";
import { alignedTable } from "../words/aligned-table.js";
import { defineCommand, type Context, type Result, type Values } from "../options/command.js";
import { natsOptions } from "../federated/nats-options.js";
import { openLog } from "../federated/run-log.js";
import { withinTime } from "../federated/time-limit.js";
import {
  bucketIn,
  bucketOf,
  openBucketRun,
  runOf,
  type BucketRun,
} from "../operator/bucket-run.js";
import { askCurator } from "../operator/control-socket.js";
import { ownFolder, wasStopped } from "../operator/curator-folder.js";
import { follow, type Standing } from "../operator/follow.js";
import {
  lineOf,
  stateOf,
  wordsOf,
  type LiveStatus,
  type Status,
  type StoredStatus,
} from "../operator/run-words.js";
import { readLiveRun, readStoredRun } from "../operator/stored-run.js";
import { stateFolder } from "../../node/records/state-folder.js";
import { number, text, yesNo } from "../options/values.js";

const options = {
  run: {
    value: "NAME",
    help: "The run; without it all runs of this user's states are listed.",
    schema: text("a name"),
  },
  state: {
    value: "DIR|kv:BUCKET",
    help: "The run's folder, where its curator has another than the default; or its bucket, with --nats. Default with --nats and --run: kv:mpmtl_RUN.",
    schema: text("a folder or kv:BUCKET"),
  },
  follow: {
    help: "Say on standard error what changes, until the run is over, its curator ends, or you interrupt.",
    schema: yesNo(),
    default: false,
  },
  timeout: {
    value: "SECONDS",
    help: "With --follow: end with an error if the run is not over by then.",
    schema: number({ above: 0 }),
  },
  ...natsOptions,
  nats: {
    ...natsOptions.nats,
    help: `${natsOptions.nats.help} For a bucket; --credentials are the curator's, and nothing is written.`,
    required: false,
  },
  expel: {
    value: "NAME",
    help: "Go on without this participant, for good: it is not waited for, and nothing is taken from it.",
    schema: text("a name"),
  },
  stop: {
    help: "Stop the curator in good order; the same curator command goes on later.",
    schema: yesNo(),
    default: false,
  },
  begin: {
    help: "Start the rounds with those registered so far.",
    schema: yesNo(),
    default: false,
  },
  ledger: {
    help: "Print what was charged so far, also while the run goes on.",
    schema: yesNo(),
    default: false,
  },
  export: {
    value: "FILE",
    help: "Write what the records hold (plan's hash, rounds, participants, charges; no release) as JSON, also while the run goes on.",
    schema: text("a file name"),
  },
} as const;

type RunsValues = Values<typeof options>;

async function liveStatus(folder: string): Promise<LiveStatus | undefined> {
  const live = await askCurator(folder, "GET", "/status");
  if (live === undefined) return undefined;
  return { live: true, ...(JSON.parse(live) as Omit<LiveStatus, "live">) };
}

async function storedStatus(folder: string, bucket?: BucketRun): Promise<StoredStatus> {
  const stored = await (bucket?.read() ?? readStoredRun(folder));
  return { live: bucket ? null : false, state: stateOf(stored, wasStopped(folder)), ...stored };
}

/** `live` is null where records are in a bucket: a curator may be alive on another machine. */
const statusOf = async (folder: string, bucket?: BucketRun): Promise<Status> =>
  (await liveStatus(folder)) ?? storedStatus(folder, bucket);

/** What the records hold, also beside the live curator that writes them. */
async function recordsOf(folder: string, bucket: BucketRun | undefined): Promise<object> {
  if ((await liveStatus(folder)) === undefined) return storedStatus(folder, bucket);
  return { live: true, ...(bucket ? await bucket.read() : readLiveRun(folder)) };
}

async function list(): Promise<Result> {
  const folder = stateFolder("curator");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const rows: string[][] = [];
  const document: Record<string, unknown> = {};
  for (const name of names) {
    try {
      const status = await statusOf(stateFolder("curator", name));
      document[name] = status;
      rows.push(lineOf(name, status));
    } catch (error) {
      // One that is damaged must not hide the others.
      document[name] = { error: (error as Error).message };
      rows.push([name, (error as Error).message, "", ""]);
    }
  }
  if (rows.length === 0) return { document, text: `no runs in ${folder}` };
  return {
    document,
    text: alignedTable([["run", "state", "round", "participants"], ...rows]),
  };
}

/** The one thing that is asked for, as a request to the live curator. */
function deedOf({ expel, stop, begin }: RunsValues): string | undefined {
  const deeds = [
    ...(expel === undefined ? [] : [`/expel?participant=${encodeURIComponent(expel)}`]),
    ...(stop ? ["/stop"] : []),
    ...(begin ? ["/begin"] : []),
  ];
  if (deeds.length > 1) throw new OptionError("--expel, --stop and --begin: give one of them.");
  return deeds[0];
}

/** Where a run's records are. */
interface Place {
  /** Of its socket, and of its records unless these are in a bucket. */
  readonly folder: string;
  readonly bucket?: string;
  readonly run?: string;
}

/** @throws OptionError for a name that is none. */
function placeOf({ run, state, nats }: RunsValues): Place {
  if (run !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(run)) {
    throw new OptionError(`--run: expected ${NAME_FORM}.`);
  }
  const byName = state === undefined && nats !== undefined;
  const bucket = byName ? bucketOf(run!) : bucketIn(state);
  if (bucket === undefined) return { folder: state ?? stateFolder("curator", run!) };
  const name = run ?? runOf(bucket);
  if (name === undefined) {
    throw new OptionError(`--run is needed: kv:${bucket} does not say which run it is of.`);
  }
  return { folder: ownFolder(`kv:${bucket}`, name), bucket, run: name };
}

/** Follows a live curator of this machine, or what is written to a bucket. */
function following(folder: string, bucket: BucketRun | undefined): () => Promise<Standing<Status>> {
  let last: Status | undefined;
  return async () => {
    const live = await liveStatus(folder);
    if (!live && !bucket && !last) {
      throw new OptionError(`${folder}: no curator is alive there, so there is nothing to follow.`);
    }
    const hasEnded = !live && last !== undefined && "phase" in last;
    // Of a folder the records say no more than the curator has said.
    const status = live ?? (bucket ? await storedStatus(folder, bucket) : last!);
    last = status;
    const isOver = "phase" in status ? status.phase === "over" : status.state === "ended";
    const lines = live || bucket ? wordsOf(status) : [...wordsOf(status), "the curator has ended"];
    return { status, lines, over: isOver || hasEnded };
  };
}

async function look(
  values: RunsValues,
  { folder }: Place,
  bucket: BucketRun | undefined,
  context: Context,
): Promise<Result> {
  if (values.ledger) {
    const live = await askCurator(folder, "GET", "/ledger");
    const stored = async () => (await (bucket?.read() ?? readStoredRun(folder))).charges;
    const ledger = live === undefined ? { entries: await stored() } : (JSON.parse(live) as unknown);
    return { document: ledger, text: JSON.stringify(ledger, null, 2) };
  }
  const log = openLog(values, context);
  const status = values.follow
    ? await withinTime(values.timeout, (limit) => {
        const signal = AbortSignal.any([context.io.signal, limit]);
        return follow(following(folder, bucket), log, signal);
      })
    : await statusOf(folder, bucket);
  if (values.export !== undefined) {
    const records = await recordsOf(folder, bucket);
    await writeFileAtomically(values.export, `${JSON.stringify(records, null, 2)}\n`);
    return { document: records, text: `written to ${values.export}` };
  }
  return { document: status, text: wordsOf(status).join("\n") };
}

async function run(values: RunsValues, context: Context): Promise<Result> {
  const deed = deedOf(values);
  if (values.timeout !== undefined && !values.follow) {
    throw new OptionError("--timeout: only with --follow.");
  }
  if (values.run === undefined && values.state === undefined) {
    const asked = deed ?? (values.ledger || values.follow || values.export || values.nats);
    if (asked) throw new OptionError("--run is needed.");
    return list();
  }
  const place = placeOf(values);
  const { folder } = place;
  if (deed !== undefined) {
    const answer = await askCurator(folder, "POST", deed);
    if (answer === undefined) throw new OptionError(`${folder}: no curator is alive there.`);
    return { document: JSON.parse(answer) as object, text: "done" };
  }
  // A curator that is alive here knows more than its bucket, which is exported nevertheless.
  const asked = place.bucket !== undefined && values.export === undefined;
  const alive = asked && (await liveStatus(folder)) !== undefined;
  const bucket =
    place.bucket === undefined || alive
      ? undefined
      : await openBucketRun(place.bucket, place.run!, values, context.io);
  try {
    return await unlessAborted(look(values, place, bucket, context), context.io.signal);
  } finally {
    await bucket?.close();
  }
}

export const runsCommand = defineCommand({
  options,
  examples: [
    "runs",
    "runs --run trial",
    "runs --run trial --expel west",
    "runs --run trial --ledger",
    "runs --run trial --follow",
    "runs --run trial --nats tls://nats.example.org:4222 --credentials curator.nk --export trial.json",
  ],
  run,
});
