/**
 * `runs`: the operator's view of the curator's runs on this machine, live or at rest, and what may be done with them.
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { counted } from "../../core/counted.js";
import { OptionError } from "../../core/index.js";
import { writeFileAtomically } from "../../node/index.js";
import { alignedTable } from "../words/aligned-table.js";
import { defineCommand, type Result, type Values } from "../options/command.js";
import { askCurator } from "../operator/control-socket.js";
import type { RunSnapshot } from "../operator/run-monitor.js";
import { readStoredRun } from "../operator/stored-run.js";
import { shortPromise } from "../words/short.js";
import { stateFolder } from "../../node/state-folder.js";
import { text, yesNo } from "../options/values.js";

const options = {
  run: {
    value: "NAME",
    help: "The run; without it all runs of this user's states are listed.",
    schema: text("a name"),
  },
  state: {
    value: "DIR",
    help: "The run's folder, where its curator has another than the default (not a bucket's).",
    schema: text("a folder"),
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
    help: "Write what the records hold (plan's hash, participants, charges; no release) as JSON.",
    schema: text("a file name"),
  },
} as const;

type RunsValues = Values<typeof options>;

async function statusOf(folder: string) {
  const live = await askCurator(folder, "GET", "/status");
  if (live !== undefined)
    return { live: true, ...(JSON.parse(live) as RunSnapshot & { spent: Spent | null }) };
  return { live: false, ...(await readStoredRun(folder)) };
}

interface Spent {
  readonly epsilon: number;
  readonly of: number;
  readonly delta: number;
}

type Status = Awaited<ReturnType<typeof statusOf>>;

function lineOf(name: string, status: Status): string[] {
  if ("phase" in status) {
    const { phase, round, rounds, participants } = status;
    const there = Object.values(participants).filter(({ state }) => state !== "awaited").length;
    return [name, phase, `${round} of ${rounds || "?"}`, String(there)];
  }
  const { started, released, participants } = status;
  const round = started ? `${released} released` : "not begun";
  return [name, "no curator", round, String(participants.length)];
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

function words(status: Status): string {
  if (!("phase" in status)) {
    return [
      status.started
        ? `no curator is alive; ${status.released} rounds were released; plan ${status.plan}`
        : `no curator is alive; the rounds have not begun, who is named has registered; plan ${status.plan}`,
      ...status.participants.map(({ name, tasks }) => `${name}: ${tasks.join(", ")}`),
      ...status.expelled.map((name) => `${name} was expelled`),
    ].join("\n");
  }
  const { phase, round, rounds, closed, missing, participants, plan, spent } = status;
  return [
    `${phase}, round ${round} of ${rounds || "?"}; plan ${plan}`,
    ...(closed ? [`round ${closed.round}: ${closed.present} of ${closed.expected} tasks`] : []),
    ...(spent
      ? [
          `spent: epsilon ${shortPromise(spent.epsilon)} of ${shortPromise(spent.of)}, delta ${shortPromise(spent.delta)}`,
        ]
      : []),
    ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
    ...Object.entries(participants).map(
      ([name, { state, tasks }]) => `${name}: ${state}, ${counted(tasks, "task")}`,
    ),
  ].join("\n");
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

async function run(values: RunsValues): Promise<Result> {
  const deed = deedOf(values);
  const { run: name, state } = values;
  if (name === undefined && state === undefined) {
    if (deed ?? (values.ledger || values.export)) throw new OptionError("--run is needed.");
    return list();
  }
  if (name !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new OptionError("--run: expected 1 to 64 letters, digits, - or _.");
  }
  const folder = state ?? stateFolder("curator", name!);
  if (deed !== undefined) {
    const answer = await askCurator(folder, "POST", deed);
    if (answer === undefined) throw new OptionError(`${folder}: no curator is alive there.`);
    return { document: JSON.parse(answer) as object, text: "done" };
  }
  if (values.ledger) {
    const live = await askCurator(folder, "GET", "/ledger");
    const ledger =
      live === undefined
        ? { entries: (await readStoredRun(folder)).charges }
        : (JSON.parse(live) as unknown);
    return { document: ledger, text: JSON.stringify(ledger, null, 2) };
  }
  const status = await statusOf(folder);
  if (values.export !== undefined) {
    await writeFileAtomically(values.export, `${JSON.stringify(status, null, 2)}\n`);
    return { document: status, text: `written to ${values.export}` };
  }
  return { document: status, text: words(status) };
}

export const runsCommand = defineCommand({
  options,
  examples: [
    "runs",
    "runs --run trial",
    "runs --run trial --expel west",
    "runs --run trial --ledger",
  ],
  run,
});
