/**
 * A link that is given up must end. The client of NATS gives one up when pings go unanswered, and then waits until what was
 * written is handed over: by a server or network that hangs it never is, and the client would look for no other server.
 * @module
 */

/** How long a link that was given up may take to hand over what was written, in milliseconds. */
const PATIENCE_MS = 1000;

/** What is needed of the client's connection; the link itself it has no public name for. */
interface Client {
  status(): AsyncIterable<{ readonly type: string }>;
  readonly protocol?: { readonly transport?: Link };
}

interface Link {
  /** Absent before it is connected, and of a client that names it otherwise. */
  readonly socket?: { destroy?(): void; close?(): void };
  /** What the client waits for before it looks for another server. */
  readonly closedNotification?: { resolve(): void };
  done?: boolean;
}

/** The same connection. */
export function endingStuckLinks<Connection extends object>(connection: Connection): Connection {
  void watch(connection as unknown as Client);
  return connection;
}

async function watch(client: Client): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const { type } of client.status()) {
    if (type === "disconnect" || type === "reconnect" || type === "close") clearTimeout(timer);
    if (type !== "staleConnection") continue;
    const link = client.protocol?.transport;
    clearTimeout(timer);
    timer = setTimeout(() => end(link), PATIENCE_MS);
  }
  clearTimeout(timer);
}

function end(link: Link | undefined): void {
  const { socket } = link ?? {};
  if (socket?.destroy) socket.destroy();
  else if (link && socket?.close) {
    // A page's socket cannot be broken off: it is left to itself, and what still comes on it is not read.
    link.done = true;
    socket.close();
    link.closedNotification?.resolve();
  }
}
