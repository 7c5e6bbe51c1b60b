/**
 * What `curator` says of a run while it goes on.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { isTold } from "../../federation/curator/events/refusals.js";
import type { CuratorStatus } from "../../federation/index.js";
import type { Context } from "../options/command.js";
import type { Log } from "../federated/run-log.js";

/** So many names are enough of a line that comes again. */
const FEW = 10;

const few = (names: readonly string[]) =>
  names.slice(0, FEW).join(", ") + (names.length > FEW ? ` and ${names.length - FEW} others` : "");

function statusLine(status: CuratorStatus): string {
  switch (status.kind) {
    case "registered":
      return `${status.participant} registered ${counted(status.tasks, "task")}`;
    case "refused":
      return status.times === undefined
        ? `refused a message of ${status.participant}: ${status.why}`
        : `refused ${status.times} messages of ${status.participant}, the last: ${status.why}`;
    case "joined":
      return `${status.participant} joined the run with ${counted(status.tasks, "task")}`;
    case "left":
      return `${status.participant} left`;
    case "expelled":
      return (
        `${status.participant} was expelled` +
        (status.deadlines === undefined ? "" : `: no answer in ${status.deadlines} deadlines`)
      );
    case "started":
      return `started with ${counted(status.tasks, "task")} of ${counted(status.participants, "participant")}`;
    case "too-few":
      return (
        `the time for registrations is up with ${counted(status.tasks, "task")}, and ${status.needed} are needed to start: waiting ` +
        "for more; mp-mtl runs names whom the run awaits"
      );
    case "resumed":
      return (
        `resumed after round ${status.round} of ${status.rounds}` +
        (status.round === status.rounds ? "; who has no models yet is served" : "")
      );
    case "round":
      return `round ${status.round} of ${status.rounds} is open for ${counted(status.expected, "task")}`;
    case "closed":
      return (
        `round ${status.round} closed with ${status.present} of ${status.expected} tasks` +
        (status.clipped > 0 ? `, ${status.clipped} clipped here` : "") +
        (status.silent ? `; no answer from ${few(status.silent)}` : "")
      );
    case "paused":
      return (
        `round ${status.round} waits: ${counted(status.present, "task")} uploaded, ${status.needed} needed; ` +
        `missing: ${status.missing.join(", ")}`
      );
    case "attempt-failed":
      return (
        `round ${status.round}: attempt ${status.attempt} at its sum failed, nothing was opened: ` +
        status.why +
        (status.culprits.length > 0 ? `; left out from now on: ${status.culprits.join(", ")}` : "")
      );
    case "awaiting-shares":
      return (
        `round ${status.round} waits for shares of ${status.missing.join(", ") || "nobody"}` +
        (status.culprits.length > 0 ? `; wrong ones about ${status.culprits.join(", ")}` : "")
      );
    case "without-relay":
      return `round ${status.round} goes on without relay ${status.relay}: ${status.why}`;
    case "awaiting-helper":
      return (
        `round ${status.round} waits for the helper, ` +
        (status.reports > 0 ? `to check ${status.reports} reports` : "for its share of the sum")
      );
    case "link":
      return status.state === "up"
        ? "connected"
        : "the connection is lost; the run waits, nothing is charged";
    case "lingering":
      return (
        `the last round is released; waits for word from ${few(status.awaited)}, for ` +
        `${status.longest / 1000} s at most (--linger)`
      );
    case "finished":
      return `${status.participant} has its models`;
  }
}

/** Rounds belong to the bar, unless tasks were absent; the rest is told in lines. */
export function watch({ progress }: Context, log: Log): (status: CuratorStatus) => void {
  let [rounds, short] = [0, 0];
  const changes = new Map<string, number>();
  /** Who registers and leaves without end must not fill the disk. */
  const isOften = (status: CuratorStatus) => {
    if (status.kind !== "registered" && status.kind !== "left") return false;
    const count = (changes.get(status.participant) ?? 0) + 1;
    changes.set(status.participant, count);
    return !isTold(count);
  };
  const isForTheBar = (status: CuratorStatus) =>
    status.kind === "round" ||
    (status.kind === "closed" && (status.present === status.expected || !isTold(++short)));
  return (status) => {
    if (isOften(status)) return;
    if (status.kind === "round") rounds = status.rounds;
    log(status, isForTheBar(status) ? [] : statusLine(status));
    if (status.kind === "closed") progress.update(status.round, rounds, "round");
  };
}
