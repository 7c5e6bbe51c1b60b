/**
 * Why a link that was lost does not come back. The client of NATS tries for ever and keeps the reason to itself: a certificate that has
 * ended meanwhile, or a clock that is wrong now, would look like a server that is down.
 * @module
 */

/** How long a link may be away before somebody asks why, and how long until it is asked again, in milliseconds. */
const ASKED_AFTER_MS = 20_000;

interface Client {
  status(): AsyncIterable<{ readonly type: string }>;
}

/**
 * Has whoever waits for a connection told why, and again when the reason is another one.
 *
 * @param attempt one more connection, closed at once; fails with the reason.
 */
export async function tellWhyAway(
  client: Client,
  attempt: () => Promise<void>,
  tell: (why: Error) => void,
  after = ASKED_AFTER_MS,
): Promise<void> {
  let away = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (of: number, told: string) => {
    const why = await attempt().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    if (of !== away) return;
    if (why && why.message !== told) tell(why);
    askLater(of, why?.message ?? told);
  };
  const askLater = (of: number, told = "") => {
    // Whoever cannot be told has that said by what comes next.
    timer = setTimeout(() => void ask(of, told).catch(() => undefined), after);
    // What ends the program ends the waiting.
    (timer as { unref?: () => void }).unref?.();
  };
  for await (const { type } of client.status()) {
    if (type !== "disconnect" && type !== "reconnect" && type !== "close") continue;
    clearTimeout(timer);
    away++;
    if (type === "disconnect") askLater(away);
  }
  clearTimeout(timer);
  away++;
}
