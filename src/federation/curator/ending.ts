/**
 * After the last round: the curator stays until every participant has the last broadcast and every party without tasks knows that the
 * run is over, but not longer than its patience.
 * @module
 */
import type { CuratorPatience } from "./patience.js";
import type { CuratorOutput } from "./events/curator-output.js";
import type { CuratorRun } from "./curator-run.js";
import type { Registry } from "./members/registry.js";

/** Hands the last broadcast to those that missed it, and ends the run. */
export class Ending {
  readonly #run: CuratorRun;
  readonly #registry: Registry;
  readonly #output: CuratorOutput;
  readonly #patience: CuratorPatience;
  /** Participants, and parties without tasks, that have not said that they are done. */
  readonly #awaited: Set<string>;
  readonly #finished = new Set<string>();
  #over = false;
  /** Whether the operator was told exactly whom the curator now stays for. */
  #told = false;

  constructor(
    run: CuratorRun,
    registry: Registry,
    output: CuratorOutput,
    patience: CuratorPatience,
  ) {
    this.#run = run;
    this.#registry = registry;
    this.#output = output;
    this.#patience = patience;
    this.#awaited = new Set([...registry.staying(), ...run.parties]);
    if (run.wiped) {
      this.end();
      return;
    }
    const { remind, linger } = patience;
    output.timers({ remind, linger });
    this.#endIfAllDone();
  }

  /** Whether the run has ended. */
  get over(): boolean {
    return this.#over;
  }

  /** A participant has its model, or a party without tasks knows that the run is over: it waits for no answer. */
  finish(from: string): void {
    if (this.#run.isParty(from)) {
      this.gone(from);
      return;
    }
    if (!this.#registry.positionsOf(from)) return;
    this.#output.tell(from, { type: "done" });
    if (this.#finished.has(from)) return;
    this.#finished.add(from);
    this.#output.status({ kind: "finished", participant: from });
    this.gone(from);
  }

  /** A party without tasks is there again, and does not know yet that the run is over: a curator of a later process knew nothing of it. */
  back(party: string): void {
    if (this.#awaited.has(party)) return;
    this.#awaited.add(party);
    this.#told = false;
  }

  /** A participant is not waited for any more. */
  gone(participant: string): void {
    if (this.#awaited.delete(participant)) this.#told = false;
    this.#endIfAllDone();
  }

  /** The link is up again: who is awaited is told again after a while. */
  linkBack(): void {
    this.#output.timers({ remind: this.#patience.remind });
  }

  /** Sends the last broadcast again to those that are awaited, and tells parties without tasks that it is over. */
  remind(): void {
    if (!this.#told) {
      this.#told = true;
      const awaited = [...this.#awaited].sort();
      this.#output.status({ kind: "lingering", awaited, longest: this.#patience.linger });
    }
    for (const name of this.#awaited) {
      if (this.#run.isParty(name)) this.#run.partyBack(name);
      else this.#run.sendBroadcast(name);
    }
  }

  /** Ends the run, whoever is missing. */
  end(): void {
    this.#over = true;
    this.#output.cancel("remind", "linger");
    this.#output.end({ type: "end", result: this.#run.result(this.#finished, this.#awaited) });
  }

  #endIfAllDone(): void {
    if (this.#over || this.#awaited.size > 0) return;
    this.#run.wipe();
    this.end();
  }
}
