/**
 * The tasks' side of a pooled choice: each uploads a vote, and learns which candidate won.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { Participants } from "../round/participants.js";
import { votes } from "../sharing/vote.js";
import type { Selectable } from "./local-selection.js";

/** Tasks that vote with what the candidates cost on their own rows. */
export class VoteParticipants implements Participants {
  readonly m: number;
  /** Candidates. */
  readonly d: number;
  readonly #core: Core;
  readonly #models: Selectable;
  readonly #upload: Pointer;
  #winner: number | undefined;

  /** @param candidates how many are voted on. */
  constructor(core: Core, models: Selectable, candidates: number) {
    this.m = models.offsets.length - 1;
    this.d = candidates;
    this.#core = core;
    this.#models = models;
    this.#upload = core.arena.f64(this.m * this.d);
  }

  /** Position of the candidate that all tasks chose. @throws RangeError before the votes are counted. */
  get winner(): number {
    if (this.#winner === undefined) throw new RangeError("receive: the votes are not counted yet");
    return this.#winner;
  }

  /** Makes the scores that the votes come from. */
  async prepare(signal?: AbortSignal): Promise<void> {
    await this.#models.prepare?.(signal);
  }

  share(): Pointer {
    const { offsets } = this.#models;
    // A cost is a sum over rows of half a squared residual, or of a log-loss.
    const perRow = Array.from({ length: this.m }, (_, i) => (offsets[i + 1]! - offsets[i]!) / 2);
    const cast = votes(this.#models.costs!(), perRow);
    this.#core.arena.view(this.#upload, cast.length).set(cast);
    return this.#upload;
  }

  receive(message: Pointer): void {
    this.#winner = this.#core.arena.view(message, 1)[0]!;
  }
}
