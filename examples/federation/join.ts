/**
 * A participant in a page: the same `joinRun` as in Node, over a websocket.
 * @module
 */
import { ENDED, endedBecause, LINK_BACK, linkLost, NO_WORD, watchSleep } from "./absence.js";
import { recall, remember, forget, type Membership } from "./membership.js";
import { readTable, saveModel, tasksFromTable, type FittedModel, type TaskSet } from "mp-mtl";
import {
  describePlan,
  featureColumns,
  joinRun,
  openRunDatabase,
  type ParticipantStatus,
  type Plan,
} from "mp-mtl/federation";
import { connectNatsWebSocket, openNatsParticipant } from "mp-mtl/federation/nats";

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

const form = element<HTMLFormElement>("form");

/** What the form says, and what is in its files. */
async function readForm(): Promise<Membership> {
  const fields = new FormData(form);
  const text = (name: string) => (fields.get(name) as string).trim();
  const file = (name: string) => fields.get(name) as File;
  const data = file("data");
  return {
    server: text("server"),
    run: text("run"),
    name: text("name"),
    task: text("task"),
    target: text("target"),
    key: await file("key").text(),
    table: { name: data.name, bytes: new Uint8Array(await data.arrayBuffer()) },
  };
}

/** The table's rows as tasks of the plan. */
async function openData({ table: { name: file, bytes }, name, task, target }: Membership) {
  const table = await readTable(bytes, { name: file });
  return (plan: Plan): TaskSet =>
    tasksFromTable(table, {
      task: task === "" ? { name } : task,
      target,
      targetKind: plan.classes ? "auto" : "number",
      features: featureColumns(plan),
      ...(plan.schema ? { schema: plan.schema } : {}),
    }).tasks;
}

/** Shows the plan; the answer is the button pressed. */
function decide(plan: Plan): Promise<boolean> {
  const lines = describePlan(plan).map((line) => {
    const item = document.createElement("li");
    item.textContent = line;
    return item;
  });
  element("words").replaceChildren(...lines);
  element("plan").hidden = false;
  return new Promise((resolve) => {
    const answer = (id: string, agreed: boolean) =>
      element(id).addEventListener(
        "click",
        () => {
          element("plan").hidden = true;
          element("work").hidden = !agreed;
          resolve(agreed);
        },
        { once: true },
      );
    answer("join", true);
    answer("decline", false);
  });
}

function say(text: string): void {
  element("status").textContent = text;
}

/** Beside what the run does, which goes on. */
function note(text: string): void {
  element("note").textContent = text;
}

function watch(status: ParticipantStatus): void {
  if (status.kind === "registered") say("Registered; waiting for the run to start.");
  if (status.kind === "received") {
    const progress = element<HTMLProgressElement>("progress");
    progress.max = status.rounds;
    progress.value = status.round;
    say(`Round ${status.round} of ${status.rounds} is done.`);
  }
  if (status.kind === "unanswered") note(NO_WORD);
  if (status.kind === "link") note(status.state === "up" ? LINK_BACK : linkLost(navigator.onLine));
}

function offer(model: FittedModel): void {
  const link = element<HTMLAnchorElement>("model");
  link.href = URL.createObjectURL(new Blob([saveModel(model).slice()]));
  link.hidden = false;
  say(`Done: the models of ${model.taskNames.join(", ")}.`);
}

async function join(membership: Membership): Promise<void> {
  const { server, run, name: participant, key } = membership;
  const data = await openData(membership);
  const connection = await connectNatsWebSocket([server], {
    credentials: key,
    // For a trial on this machine alone: ?old-server takes one whose port for pages anyone can crash.
    oldServer: new URLSearchParams(location.search).has("old-server"),
    onAway: ({ message }) => note(`Away. ${message}`),
  });
  const transport = openNatsParticipant(connection, { run, name: participant });
  // What was agreed to and heard: a second session, or another plan, is refused after any reload.
  const store = await openRunDatabase(`mp-mtl ${run} ${participant}`).catch(async (error) => {
    // Else every other try would take one more of this participant's few connections.
    await transport.close();
    throw error;
  });
  const ended = new AbortController();
  void transport.closed.then((reason) => {
    if (reason) ended.abort(reason);
  });
  offer(
    await joinRun({
      run,
      participant,
      transport,
      data,
      store,
      decide: async (plan) => {
        const agreed = await decide(plan);
        const why = agreed ? await remember(membership) : undefined;
        if (why) note(`Key and table are not kept here: ${why}. Leave this page open, or choose them again after a reload.`); // prettier-ignore
        return agreed;
      },
      onStatus: watch,
      signal: ended.signal,
    }),
  );
  if (await forget()) element("membership").hidden = true;
}

function start(work: () => Promise<void>): void {
  element("problem").textContent = "";
  work().catch((error: unknown) => {
    if (!element("work").hidden) say(ENDED);
    element("problem").textContent = endedBecause(error instanceof Error ? error.message : String(error)); // prettier-ignore
  });
}

watchSleep(note);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  start(async () => join(await readForm()));
});

element("forget").addEventListener("click", () => {
  start(async () => {
    if (await forget()) location.reload();
    else note("Key and table could not be removed: clear what the browser keeps for this page.");
  });
});

// A reload returns by itself: what was agreed to is in the run's own database, so nobody is asked again.
start(async () => {
  const membership = await recall();
  if (!membership) return;
  element("membership").hidden = false;
  element("work").hidden = false;
  say(`Returning to run ${membership.run} as ${membership.name}.`);
  await join(membership);
});
