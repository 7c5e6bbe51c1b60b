/**
 * What may be seen of a helper, a relay or a participant that runs, as metrics: the curator's is `run-monitor.ts`.
 * @module
 */
import type { ParticipantStatus, RelayStatus } from "../../federation/index.js";
import type { HelperStatus } from "../../federation/verified-sums/index.js";
import { commonMetrics, metricsText, type Watched } from "./metrics.js";
import { openMetrics } from "./metrics-port.js";

/** What such a party says of itself. */
type PartyStatus = HelperStatus | RelayStatus | ParticipantStatus;

/** Follows a party's statuses. */
export class PartyMonitor implements Watched {
  readonly #run: string;
  #link: "up" | "down" = "down";
  #round = 0;
  #rounds: number | undefined;
  #over = false;
  #refused = 0;
  #answers = 0;
  #unanswered = false;

  constructor(run: string) {
    this.#run = run;
  }

  get link(): "up" | "down" {
    return this.#link;
  }

  /** Takes a status. */
  note(status: PartyStatus): void {
    if (status.kind !== "link") this.#unanswered = status.kind === "unanswered";
    switch (status.kind) {
      case "link":
        this.#link = status.state;
        return;
      case "started":
        this.#round = status.round;
        return;
      case "ignored":
        this.#refused++;
        return;
      case "refused":
        this.#refused += "times" in status ? (status.times ?? 1) : 1;
        return;
      case "passed":
        this.#round = status.round;
        this.#answers++;
        return;
      case "uploaded":
      case "given":
        this.#answers++;
        this.#reached(status, status.kind === "given");
        return;
      case "received":
        this.#reached(status, true);
        return;
    }
  }

  /** @param done whether nothing is left to do in that round. */
  #reached({ round, rounds }: { readonly round: number; readonly rounds: number }, done: boolean) {
    this.#round = round;
    this.#rounds = rounds;
    this.#over = done && round === rounds;
  }

  metrics(): string {
    const common = {
      link: this.#link,
      round: this.#round,
      rounds: this.#rounds,
      over: this.#over,
      refused: this.#refused,
    };
    return metricsText(this.#run, [
      ...commonMetrics(common),
      ["answers_total", "counter", "Vectors, sums or shares given to a round.", this.#answers],
      [
        "unanswered",
        "gauge",
        "Whether nothing was heard from the curator for a while.",
        Number(this.#unanswered),
      ],
    ]);
  }
}

/**
 * Does a party's work while its metrics are served, if a port is asked for.
 * @param told what else is done with a status.
 * @param work is given what takes statuses.
 */
export async function withMetrics<Status extends PartyStatus, T>(
  { metrics, run }: { readonly metrics?: string | undefined; readonly run: string },
  told: (status: Status) => void,
  work: (onStatus: (status: Status) => void) => Promise<T>,
): Promise<T> {
  const monitor = new PartyMonitor(run);
  const close = metrics === undefined ? () => undefined : await openMetrics(metrics, monitor);
  try {
    return await work((status) => {
      monitor.note(status);
      told(status);
    });
  } finally {
    close();
  }
}
