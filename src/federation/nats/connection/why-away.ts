/**
 * Why a link that was lost does not come back, or does not stay. The client of NATS tries for ever and keeps the reason to itself: a
 * certificate that has ended meanwhile, or a clock that is wrong now, would look like a server that is down.
 * @module
 */

/** How long a link may be away before somebody asks why, and how long until it is asked again, in milliseconds. One that stays so long is steady. */
const ASKED_AFTER_MS = 20_000;
/** A link that was lost so often without having been steady comes and goes. */
const COMES_AND_GOES = 3;

interface Client {
  status(): AsyncIterable<{ readonly type: string }>;
}

/** Since the link was steady last. */
interface Unrest {
  readonly since: number;
  lost: number;
  /** What was told already. */
  readonly told: Set<string>;
}

/** What tells reasons apart: a message may say what the time is. */
const reasonOf = ({ cause, message }: Error) => (cause instanceof Error ? cause.message : message);

function comesAndGoes({ lost, since }: Unrest, now: number): Error {
  const seconds = Math.round((now - since) / 1000);
  return new Error(
    `nats: the link comes and goes: it was lost ${lost} times in ${seconds} s, and another connection was made without trouble. ` +
      "The server's log says whether it ended this one and why; if not, the network between has.",
  );
}

/**
 * Has whoever waits for a connection told why, and again when the reason is another one. Whoever has a link that comes and goes is told
 * once, too, though it may never be away for long.
 *
 * @param attempt one more connection, closed at once; fails with the reason.
 */
export async function tellWhyAway(
  client: Client,
  attempt: () => Promise<void>,
  tell: (why: Error) => void,
  after = ASKED_AFTER_MS,
  now = () => performance.now(),
): Promise<void> {
  let turns = 0;
  let over = false;
  let back = -Infinity;
  let unrest: Unrest = { since: 0, lost: 0, told: new Set() };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (of: number) => {
    const asked = unrest;
    const failed = await attempt().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    const flaps = asked.lost >= COMES_AND_GOES;
    if (over || asked !== unrest || (of !== turns && !flaps)) return;
    const why = failed ?? (flaps ? comesAndGoes(asked, now()) : undefined);
    const reason = failed ? reasonOf(failed) : "comes and goes";
    if (why && !asked.told.has(reason)) {
      asked.told.add(reason);
      tell(why);
    }
    if (of === turns) askLater(after);
  };
  const askLater = (milliseconds: number) => {
    const of = turns;
    // Whoever cannot be told has that said by what comes next.
    timer = setTimeout(() => void ask(of).catch(() => undefined), milliseconds);
    // What ends the program ends the waiting.
    (timer as { unref?: () => void }).unref?.();
  };
  const lost = () => {
    if (now() - back >= after) unrest = { since: now(), lost: 0, told: new Set() };
    unrest.lost++;
    // One attempt for a link that comes and goes, not one for every time: a thousand owners may have such links.
    const isTold = unrest.told.size > 0;
    askLater(isTold ? after : Math.max(0, unrest.since + after - now()));
  };
  for await (const { type } of client.status()) {
    if (type !== "disconnect" && type !== "reconnect" && type !== "close") continue;
    clearTimeout(timer);
    turns++;
    over = type === "close";
    if (type === "disconnect") lost();
    if (type === "reconnect") back = now();
  }
  clearTimeout(timer);
  over = true;
}
