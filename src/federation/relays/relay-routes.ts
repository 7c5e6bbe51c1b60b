/**
 * Which way inputs come in one attempt: how far every relay is, and whose inputs are to come by it.
 *
 * The sums of a relay are for the relay above it as long as that one is awaited; once that one has given its sum, or is done without, for
 * the curator. So relays that are awaited form trees, each with one at its top whose sum the curator gets.
 * @module
 */
import type { RelayTree } from "./relay-tree.js";

/** A relay adds up; was asked to give what it has; its sum was taken; or those beneath it send past it. */
type State = "gathering" | "closing" | "given" | "straight";

/** The relays of one attempt. */
export class RelayRoutes {
  readonly #tree: RelayTree;
  readonly #isAwaited: (participant: number) => boolean;
  readonly #states: State[];

  /**
   * @param straight relays to do without, by their number.
   * @param isAwaited whether a participant's input is to come, by whatever way, and is not counted.
   */
  constructor(
    tree: RelayTree,
    straight: ReadonlySet<number>,
    isAwaited: (participant: number) => boolean,
  ) {
    this.#tree = tree;
    this.#isAwaited = isAwaited;
    this.#states = tree.groups.map((_, relay) => (straight.has(relay) ? "straight" : "gathering"));
  }

  /** Relays whose sums are awaited. */
  get open(): number[] {
    return this.#states.flatMap((_, relay) => (this.isOpen(relay) ? [relay] : []));
  }

  /** Whether a relay's sum is awaited. */
  isOpen(relay: number): boolean {
    const state = this.#states[relay];
    return state === "gathering" || state === "closing";
  }

  /** Whether a relay was asked to give what it has. */
  isClosing(relay: number): boolean {
    return this.#states[relay] === "closing";
  }

  /** Whether a relay's sum is for the curator. */
  isTop(relay: number): boolean {
    const above = this.#tree.groups[relay]!.relay;
    return above === undefined || !this.isOpen(above);
  }

  /** Whether a participant is to send past its relay. */
  isPast(participant: number): boolean {
    const relay = this.#tree.relayOf(participant);
    return relay !== undefined && this.#states[relay] === "straight";
  }

  /** Whether a participant's input is to come by its relay. */
  isRelayed(participant: number): boolean {
    const relay = this.#tree.relayOf(participant);
    return relay !== undefined && this.isOpen(relay);
  }

  /** Relays that a participant's input is to pass, from its own up. */
  pathOf(participant: number): number[] {
    const path = this.#tree.pathOf(participant);
    const end = path.findIndex((relay) => !this.isOpen(relay));
    return end < 0 ? path : path.slice(0, end);
  }

  /** Its own participants whose input is awaited. */
  own(relay: number): number[] {
    return this.#tree.own(relay).filter(this.#isAwaited);
  }

  /** Relays beneath it whose sums are awaited. */
  children(relay: number): number[] {
    return this.#tree.children(relay).filter((child) => this.isOpen(child));
  }

  /** Participants whose input is awaited, and is to come by this relay. */
  awaited(relay: number): Set<number> {
    const beneath = this.children(relay).flatMap((child) => [...this.awaited(child)]);
    return new Set([...this.own(relay), ...beneath]);
  }

  /** A relay is asked for what it has. */
  close(relay: number): void {
    this.#states[relay] = "closing";
  }

  /** A relay is done without. */
  pass(relay: number): void {
    this.#states[relay] = "straight";
  }

  /** Relays that a relay's sums are to pass, from the one above it up. */
  above(relay: number): number[] {
    const { relay: next } = this.#tree.groups[relay]!;
    return next === undefined || !this.isOpen(next) ? [] : [next, ...this.above(next)];
  }

  /**
   * A relay's sum was taken, or nobody is awaited beneath it. Relays beneath it have given theirs with it, if the input of one of those
   * beneath them is in the sum. Of others it is not known whose fault that is: they are awaited further.
   *
   * @param held whose inputs are in the sum.
   * @returns relays beneath it that are awaited further; their sums are for the curator.
   */
  give(relay: number, held: ReadonlySet<number>): number[] {
    const children = this.children(relay).map((child) => ({ child, of: [...this.awaited(child)] }));
    this.#states[relay] = "given";
    return children.flatMap(({ child, of }) =>
      of.length === 0 || of.some((one) => held.has(one)) ? this.give(child, held) : [child],
    );
  }
}
