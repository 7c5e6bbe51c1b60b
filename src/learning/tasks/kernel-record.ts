/**
 * The fields of a kernel's job, in place of a long list of arguments.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";

/** Float64s, then unsigned words, laid out as the kernel's class declares them. */
export class KernelRecord<Name extends string> {
  readonly at: Pointer;
  readonly #core: Core;
  readonly #numbers: number;
  readonly #names: readonly Name[];

  /** @param names of the words, in the class's order. */
  constructor(core: Core, numbers: number, names: readonly Name[]) {
    this.#core = core;
    this.#numbers = numbers;
    this.#names = names;
    this.at = core.arena.bytes(8 * numbers + 4 * names.length);
  }

  /** Writes all fields. */
  write(numbers: readonly number[], words: Readonly<Record<Name, number>>): void {
    const { arena } = this.#core;
    arena.view(this.at, this.#numbers).set(numbers);
    const after = arena.words(this.at + 8 * this.#numbers, this.#names.length);
    for (let k = 0; k < after.length; k++) after[k] = words[this.#names[k]!];
  }
}
