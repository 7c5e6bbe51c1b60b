/**
 * Tests that take long for what they add: a part of them runs under `npm test`, all with MP_MTL_TESTS=all, as .ci/run has it.
 * @module
 */
import { test } from "vitest";

/** Whether all are asked for. */
export const thorough = process.env["MP_MTL_TESTS"] === "all";

/** What a name says of tests that are left out. */
export const LEFT_OUT = "(skipped unless MP_MTL_TESTS=all)";

/** Every n-th of a list, the first among them; the whole list where all are asked for. */
export const someOf = <T>(list: readonly T[], n: number): T[] =>
  thorough ? [...list] : list.filter((_, i) => i % n === 0);

/** A test that is left out, and says so, unless all are asked for. */
export function thoroughTest(
  name: string,
  body: () => void | Promise<void>,
  timeout?: number,
): void {
  test.skipIf(!thorough)(thorough ? name : `${name} ${LEFT_OUT}`, body, timeout);
}
