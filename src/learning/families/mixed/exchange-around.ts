/**
 * An exchange that changes what another is given and what it ends with: its releases are the other's.
 * @module
 */
import type { CommonWork } from "../../round/common-work.js";
import type { MixedExchange, MixedModels } from "./exchange.js";

export abstract class ExchangeAround<Inner extends MixedExchange> implements MixedExchange {
  protected readonly inner: Inner;

  constructor(inner: Inner) {
    this.inner = inner;
  }

  upload(release: number): Float64Array {
    return this.inner.upload(release);
  }

  common(release: number): CommonWork | undefined {
    return this.inner.common?.(release);
  }

  receive(release: number, sum: Float64Array, deviation: number): void {
    this.inner.receive(release, sum, deviation);
  }

  abstract solve(): MixedModels;
}
