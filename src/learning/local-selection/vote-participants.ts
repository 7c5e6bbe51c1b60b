/**
 * The tasks' side of a pooled choice: each uploads a vote, and learns which candidate won.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { Participants } from "../round/participants.js";
import { PRIVATE_SELECTION } from "./thresholds.js";
import type { Selectable } from "./selectable.js";

/** Tasks that vote with what the candidates cost on their own rows. */
export class VoteParticipants implements Participants {
  readonly m: number;
  /** Candidates. */
  readonly uploadLength: number;
  readonly #core: Core;
  readonly #models: Selectable;
  readonly #upload: Pointer;
  #winner: number | undefined;

  /** @param candidates how many are voted on. */
  constructor(core: Core, models: Selectable, candidates: number) {
    this.m = models.offsets.length - 1;
    this.uploadLength = candidates;
    this.#core = core;
    this.#models = models;
    this.#upload = core.arena.f64(this.m * this.uploadLength);
  }

  /** Position of the candidate that all tasks chose. @throws RangeError before the votes are counted. */
  get winner(): number {
    if (this.#winner === undefined) throw new RangeError("receive: the votes are not counted yet");
    return this.#winner;
  }

  /** Makes the scores that the votes come from. */
  async prepare(_round: number, _marks?: Uint8Array, signal?: AbortSignal): Promise<void> {
    await this.#models.prepare?.(signal);
  }

  upload(): Pointer {
    const { offsets } = this.#models;
    // A cost is a sum over rows of half a squared residual, or of a log-loss.
    const perRow = Array.from({ length: this.m }, (_, i) => (offsets[i + 1]! - offsets[i]!) / 2);
    const cast = votes(this.#models.costs!(), perRow);
    this.#core.arena.view(this.#upload, cast.length).set(cast);
    return this.#upload;
  }

  receive(broadcast: Pointer): void {
    this.#winner = this.#core.arena.view(broadcast, 1)[0]!;
  }
}

/** Below 1 by more than the rounding of a vote, so that a curator who clips it again changes nothing. */
const WITHIN = 1 - 2 ** -46;

/**
 * Every task's vote from its costs [m, K]: centred, divided by the number of its rows where the cost
 * is a sum over them, and held to norm 1. A task whose costs are not finite abstains: its divergence must
 * neither show in the sum nor spoil it.
 *
 * @param perRow [m], what to divide each task's costs by.
 */
export function votes(costs: Float64Array, perRow: ArrayLike<number>): Float64Array {
  const m = perRow.length;
  const count = costs.length / m;
  const out = new Float64Array(costs.length);
  for (let i = 0; i < m; i++) {
    const own = costs.subarray(i * count, (i + 1) * count).map((cost) => cost / perRow[i]!);
    const mean = own.reduce((sum, cost) => sum + cost, 0) / count;
    const norm = Math.sqrt(own.reduce((sum, cost) => sum + (cost - mean) ** 2, 0));
    if (!(norm < Infinity)) continue;
    const scale = WITHIN / Math.max(norm, PRIVATE_SELECTION.fullVote);
    for (let k = 0; k < count; k++) out[i * count + k] = (own[k]! - mean) * scale;
  }
  return out;
}
