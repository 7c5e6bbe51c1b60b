/**
 * Inputs that reach a relay before the curator's request for them: messages of two senders overtake each other.
 *
 * One for each member is held, so that nobody is in the others' way; what has no room is dropped, and asked for again.
 * @module
 */

/** An input and the attempt it is of. */
interface EarlyInput {
  readonly round: number;
  readonly attempt: number;
  readonly bytes: Uint8Array;
}

/** Bytes held for all members together. */
const MOST_BYTES = 2 ** 28;

/** Whether one attempt comes after another. */
export function isLater(
  a: { readonly round: number; readonly attempt: number },
  b: { readonly round: number; readonly attempt: number },
): boolean {
  return a.round > b.round || (a.round === b.round && a.attempt > b.attempt);
}

/** Holds each member's latest. */
export class EarlyInputs {
  readonly #mostBytes: number;
  readonly #inputs = new Map<number, EarlyInput>();
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** Holds a member's input in place of the one that is held. */
  hold(place: number, input: EarlyInput): void {
    this.#drop(place);
    if (this.#bytes + input.bytes.length > this.#mostBytes) return;
    this.#bytes += input.bytes.length;
    this.#inputs.set(place, input);
  }

  /** Those of an attempt, which are then held no longer; older ones are dropped. */
  take(of: { readonly round: number; readonly attempt: number }): [number, Uint8Array][] {
    const taken: [number, Uint8Array][] = [];
    for (const [place, input] of [...this.#inputs]) {
      if (isLater(input, of)) continue;
      if (!isLater(of, input)) taken.push([place, input.bytes]);
      this.#drop(place);
    }
    return taken;
  }

  #drop(place: number): void {
    this.#bytes -= this.#inputs.get(place)?.bytes.length ?? 0;
    this.#inputs.delete(place);
  }
}
