/**
 * A socket through which the operator of a run watches and steers the live curator, HTTP inside.
 *
 * Whoever may open the folder of the state may steer the run: it is its owner's alone.
 * @module
 */
import { rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { ConnectionError } from "../../federation/nats/connection/connection-error.js";
import { makeDirectory } from "../../node/files/make-directory.js";
import { controlPath } from "./control-path.js";
import { listening, serve, watching, type Answer } from "./metrics-port.js";
import type { RunMonitor } from "./run-monitor.js";

/** What the operator may have done. */
export interface Steering {
  readonly stop: () => void;
  readonly begin: () => void;
  readonly expel: (participant: string) => void;
  /** What the releases so far cost, and the budget; undefined before the start. */
  readonly spent: () => { epsilon: number; of: number; delta: number } | undefined;
  /** The ledger so far; undefined before the start. */
  readonly ledger: () => object | undefined;
}

/** How long a curator may take to answer, which may be busy with a round; one that is stopped never does. */
const ANSWER_MS = 60_000;

/** Whether a process listens there, busy or not. */
function isListened(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

const json = (value: unknown): Answer => ({
  status: 200,
  type: "application/json",
  body: `${JSON.stringify(value)}\n`,
});

function steering(
  method: string,
  url: URL,
  monitor: RunMonitor,
  steer: Steering,
): Answer | undefined {
  const { pathname: path, searchParams } = url;
  if (method === "GET" && path === "/status") {
    return json({ ...monitor.snapshot, spent: steer.spent() ?? null });
  }
  if (method === "GET" && path === "/ledger") return json(steer.ledger() ?? null);
  if (method !== "POST") return undefined;
  if (path === "/stop") steer.stop();
  else if (path === "/begin") {
    const why = monitor.whyNotBegin;
    if (why !== undefined) return { status: 409, body: `${why}\n` };
    steer.begin();
  } else if (path === "/expel") {
    const name = searchParams.get("participant") ?? "";
    if (!Object.hasOwn(monitor.snapshot.participants, name)) {
      return { status: 404, body: "the curator knows no participant of that name\n" };
    }
    steer.expel(name);
  } else return undefined;
  return json({ done: path.slice(1) });
}

/**
 * Opens the socket in a folder.
 * @returns what closes it.
 * @throws Error if that of another process is there: records in a bucket have no lock on this machine.
 */
export async function openControl(
  folder: string,
  monitor: RunMonitor,
  steer: Steering,
): Promise<() => void> {
  makeDirectory(folder, 0o700);
  const { path, isFile } = controlPath(folder);
  const clear = () => {
    if (isFile) rmSync(path, { force: true });
  };
  if (await isListened(path)) {
    throw new Error("another curator of this run is alive on this machine, and they ask that one");
  }
  clear(); // of a process that was killed
  const server = serve(
    (method, url) => watching(url.pathname, monitor) ?? steering(method, url, monitor, steer),
  );
  await listening(server, path);
  return () => {
    server.close();
    server.closeIdleConnections();
    clear();
  };
}

const endedMeanwhile = (cause: Error) =>
  new ConnectionError("the run's curator ended before it had answered; ask again.", { cause });

/**
 * Asks a live curator.
 * @returns the answer's text; undefined if no curator is alive there.
 * @throws ConnectionError if it refuses, ends meanwhile, or does not answer for a minute.
 */
export function askCurator(
  folder: string,
  method: string,
  path: string,
  patience = ANSWER_MS,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath: controlPath(folder).path, method, path, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new ConnectionError(`the run's curator refused: ${text.trim()}.`));
        });
        response.on("error", (cause) => reject(endedMeanwhile(cause)));
      },
    );
    asked.setTimeout(patience, () =>
      asked.destroy(
        new ConnectionError(
          `the run's curator is there, and has not answered for ${patience / 1000} s: it is stopped, or very busy.`,
        ),
      ),
    );
    asked.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(undefined);
      else reject(error.code === "ECONNRESET" ? endedMeanwhile(error) : error);
    });
    asked.end();
  });
}
