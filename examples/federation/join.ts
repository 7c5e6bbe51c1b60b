/**
 * A participant in a page: the same `joinRun` as in Node, over a websocket.
 * @module
 */
import { readTable, saveModel, tasksFromTable, type FittedModel, type TaskSet } from "mp-mtl";
import { describePlan, joinRun, type ParticipantStatus, type Plan } from "mp-mtl/federation";
import { connectNatsWebSocket, openNatsParticipant } from "mp-mtl/federation/nats";

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

const form = element<HTMLFormElement>("form");

/** What the form says; files as they are. */
function readForm() {
  const fields = new FormData(form);
  const text = (name: string) => (fields.get(name) as string).trim();
  const file = (name: string) => fields.get(name) as File;
  return { text, file };
}

/** The table's rows as tasks of the plan. */
async function openData({ text, file }: ReturnType<typeof readForm>) {
  const data = file("data");
  const table = await readTable(new Uint8Array(await data.arrayBuffer()), { name: data.name });
  return ({ features, classes }: Plan): TaskSet =>
    tasksFromTable(table, {
      task: text("task") === "" ? { name: text("name") } : text("task"),
      target: text("target"),
      targetKind: classes ? "auto" : "number",
      features,
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

function watch(status: ParticipantStatus): void {
  if (status.kind === "registered") say("Registered; waiting for the run to start.");
  if (status.kind === "received") {
    const progress = element<HTMLProgressElement>("progress");
    progress.max = status.rounds;
    progress.value = status.round;
    say(`Round ${status.round} of ${status.rounds} is done.`);
  }
  if (status.kind === "link" && status.state === "down") say("The server is away; waiting for it.");
}

function offer(model: FittedModel): void {
  const link = element<HTMLAnchorElement>("model");
  link.href = URL.createObjectURL(new Blob([saveModel(model).slice()]));
  link.hidden = false;
  say(`Done: the models of ${model.taskNames.join(", ")}.`);
}

async function join(): Promise<void> {
  const fields = readForm();
  const data = await openData(fields);
  const connection = await connectNatsWebSocket([fields.text("server")], {
    credentials: await fields.file("key").text(),
  });
  const [run, participant] = [fields.text("run"), fields.text("name")];
  const transport = openNatsParticipant(connection, { run, name: participant });
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
      decide,
      onStatus: watch,
      signal: ended.signal,
    }),
  );
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  element("problem").textContent = "";
  join().catch((error: unknown) => {
    element("problem").textContent = error instanceof Error ? error.message : String(error);
  });
});
