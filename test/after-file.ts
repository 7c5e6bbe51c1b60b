/**
 * What helpers of tests have to undo after every test file, or to tell after every test. Modules are loaded once a process, not once a file, so an `afterAll`
 * of theirs would be heard after the first file only, and leave servers and folders of all others behind.
 * @module
 */

const undos: (() => void | Promise<void>)[] = [];

/** Has this done after every test file of the process; what was asked for last comes first. */
export function afterEveryFile(undo: () => void | Promise<void>): void {
  undos.unshift(undo);
}

/** Does it. */
export async function undoAll(): Promise<void> {
  for (const undo of undos) await undo();
}

const deeds: ((failed: boolean) => void)[] = [];

/** Has this done after every test of the process. @param deed told whether the test has failed, which it has too where its time was up. */
export function afterEveryTest(deed: (failed: boolean) => void): void {
  deeds.push(deed);
}

/** Does it. */
export function testEnded(failed: boolean): void {
  for (const deed of deeds) deed(failed);
}
