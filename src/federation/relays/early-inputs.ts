/**
 * Inputs, and sums of relays beneath it, that reach a relay before the curator's request for them: messages of two senders overtake each
 * other.
 *
 * One for each sender is held, so that nobody is in the others' way; what has no room is dropped, and asked for again.
 * @module
 */

/** An input and the attempt it is of. */
interface EarlyInput {
  readonly round: number;
  readonly attempt: number;
  readonly bytes: Uint8Array;
}

/** Bytes held for all senders together. */
const MOST_BYTES = 2 ** 28;

/** Whether one attempt comes after another. */
export function isLater(
  a: { readonly round: number; readonly attempt: number },
  b: { readonly round: number; readonly attempt: number },
): boolean {
  return a.round > b.round || (a.round === b.round && a.attempt > b.attempt);
}

/** Holds each sender's latest, by its number among the relay's sources. */
export class EarlyInputs {
  readonly #mostBytes: number;
  readonly #inputs = new Map<number, EarlyInput>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** Holds a sender's input in place of the one that is held. */
  hold(source: number, input: EarlyInput): void {
    this.#drop(source);
    if (this.#bytes + input.bytes.length > this.#mostBytes) return;
    this.#bytes += input.bytes.length;
    this.#inputs.set(source, input);
  }

  /** Those of an attempt, which are then held no longer; older ones are dropped. */
  take(of: { readonly round: number; readonly attempt: number }): [number, Uint8Array][] {
    const taken: [number, Uint8Array][] = [];
    for (const [source, input] of [...this.#inputs]) {
      if (isLater(input, of)) continue;
      if (!isLater(of, input)) taken.push([source, input.bytes]);
      this.#drop(source);
    }
    return taken;
  }

  #drop(source: number): void {
    this.#bytes -= this.#inputs.get(source)?.bytes.length ?? 0;
    this.#inputs.delete(source);
  }
}
