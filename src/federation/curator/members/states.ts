/**
 * With which state each participant takes part, where participants add noise, and a helper: a second one would draw a second noise for a round.
 * @module
 */

/** The names of states, by participant; of a participant that names none nothing is known. */
export class States {
  readonly #names = new Map<string, string>();
  /** A helper that was asked for something. */
  readonly #bound = new Set<string>();

  /** The name of a participant's state. */
  of(participant: string): string | undefined {
    return this.#names.get(participant);
  }

  /** The state with which a participant is known, if that is not this one. */
  other(participant: string, state: string | undefined): string | undefined {
    const known = this.#names.get(participant);
    return known === state ? undefined : known;
  }

  enter(participant: string, state: string | undefined): void {
    if (state !== undefined) this.#names.set(participant, state);
  }

  forget(participant: string): void {
    this.#names.delete(participant);
  }

  /** From now on no other state takes this one's place; @returns whether one could until now. */
  bind(party: string): boolean {
    const bound = this.#bound.has(party);
    this.#bound.add(party);
    return !bound;
  }

  isBound(party: string): boolean {
    return this.#bound.has(party);
  }
}
