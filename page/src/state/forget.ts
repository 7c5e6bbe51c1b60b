/**
 * Other data makes everything that was computed out of date; whoever holds such things says so here.
 * @module
 */

const forgetting: (() => void)[] = [];

/** Registers what is to be dropped when other data is chosen. */
export function onForget(drop: () => void): void {
  forgetting.push(drop);
}

/** Drops it all. */
export function forget(): void {
  for (const drop of forgetting) drop();
}
