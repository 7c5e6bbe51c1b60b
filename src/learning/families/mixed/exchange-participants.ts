/**
 * A release of the mixed model's exchange, as a round has it.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import type { CommonWork } from "../../round/common-work.js";
import type { Participants } from "../../round/participants.js";
import type { MixedExchange } from "./exchange.js";

/** Which release, of how many tasks. */
export interface ExchangeRelease {
  /** 0-based. */
  readonly release: number;
  readonly m: number;
  /** Float64s of an upload. */
  readonly length: number;
  /** Standard deviation of the noise on each entry of its sum. */
  readonly deviation: number;
}

/** A batch's part in it. */
export class ExchangeParticipants implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly #core: Core;
  readonly #exchange: MixedExchange;
  readonly #release: ExchangeRelease;
  readonly #at: Pointer;

  constructor(core: Core, exchange: MixedExchange, release: ExchangeRelease) {
    this.#core = core;
    this.#exchange = exchange;
    this.#release = release;
    this.m = release.m;
    this.uploadLength = release.length;
    this.#at = core.arena.f64(release.m * release.length);
  }

  common(): CommonWork | undefined {
    return this.#exchange.common?.(this.#release.release);
  }

  upload(): Pointer {
    const uploads = this.#exchange.upload(this.#release.release);
    this.#core.arena.view(this.#at, this.m * this.uploadLength).set(uploads);
    return this.#at;
  }

  receive(broadcast: Pointer): void {
    const { release, deviation } = this.#release;
    const sum = this.#core.arena.view(broadcast, this.uploadLength).slice();
    this.#exchange.receive(release, sum, deviation);
  }
}
