/**
 * A port with a party's metrics and health, and nothing else; what answers on it.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Watched } from "./metrics.js";

/** What is answered to a request. */
export interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

/** The answer of a party that is watched; undefined for another path. */
export function watching(path: string, watched: Watched): Answer | undefined {
  if (path === "/metrics") {
    return { status: 200, type: "text/plain; version=0.0.4", body: watched.metrics() };
  }
  if (path !== "/health") return undefined;
  const { link } = watched;
  return { status: link === "up" ? 200 : 503, body: `${link}\n` };
}

/** The URL of a request; undefined where its path is none, as "//" is, which must not end the process. */
function urlOf(path = "/"): URL | undefined {
  try {
    return new URL(path, "http://run");
  } catch {
    return undefined;
  }
}

/** A server that does not keep a process alive. */
export function serve(answer: (method: string, url: URL) => Answer | undefined): Server {
  const server = createServer((message: IncomingMessage, response: ServerResponse) => {
    const url = urlOf(message.url);
    const asked = url && answer(message.method ?? "GET", url);
    const { status, type = "text/plain", body } = asked ?? { status: 404, body: "not here\n" };
    response.writeHead(status, { "content-type": type }).end(body);
  });
  server.unref();
  // Nor do connections on which nobody asks anything: closing the server leaves them to whoever made them.
  server.on("connection", (socket) => socket.unref());
  return server;
}

export const listening = (server: Server, ...where: [string] | [number, string]) =>
  new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(...(where as [string]), resolve);
  });

/** Why an address cannot be listened on. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process uses this port; name a free one, or stop that process",
  EACCES: "this user may not listen on this port; name one above 1023",
  EADDRNOTAVAIL: "this machine has no such address; name one of its own, 127.0.0.1 or 0.0.0.0",
  ENOTFOUND: "this host is not known; name an address of this machine",
  EAI_AGAIN: "this host is not known; name an address of this machine",
};

/**
 * Opens a port with metrics and health.
 * @returns what closes it.
 * @throws OptionError if the address cannot be listened on.
 */
export async function openMetrics(address: string, watched: Watched): Promise<() => void> {
  // A scheme without a port of its own: of "http:" the port 80 would be left out.
  const { hostname, port } = new URL(`metrics://${address}`);
  const server = serve((method, { pathname }) =>
    method === "GET" ? watching(pathname, watched) : undefined,
  );
  try {
    await listening(server, Number(port), hostname.replace(/^\[|\]$/g, ""));
  } catch (cause) {
    const why = REASONS[(cause as NodeJS.ErrnoException).code ?? ""];
    if (why === undefined) throw cause;
    throw new OptionError(`--metrics ${address}: ${why}.`, { cause });
  }
  return () => void server.close();
}
