/**
 * How fast servers are tried again, whatever becomes of this machine's clock. The client of NATS notes when it tried a server by the wall
 * clock, and tries it again once that is so long ago: after the clock was set back by an hour it would try none for an hour.
 * @module
 */
import { backoff } from "@nats-io/nats-core";

/** Between two tries of a server, in the mean: the client's own pause is from half of it to half as much again, lest all come at once. */
const PAUSE_MS = 500;
/** A clock that falls behind by less is taken for one that is slowed down: it costs a pause that is so much longer. */
const STEP_MS = 100;
/** After a step as many tries as there may be servers, of which the client takes one after the other, pay no heed to when it was. */
const SERVERS = 16;

/** Tells the client, which asks before each try, how long ago the last one of that server must be. */
export function reconnectPace(
  wall: () => number = () => Date.now(),
  steady: () => number = () => performance.now(),
): () => number {
  const pauses = backoff([PAUSE_MS]);
  const ahead = () => wall() - steady();
  let before = ahead();
  let free = 0;
  return () => {
    const now = ahead();
    if (now < before - STEP_MS) free = SERVERS;
    before = now;
    if (free === 0) return pauses.backoff(0);
    free--;
    return -Infinity;
  };
}
