/** What a driver leaves behind where its transport cannot be closed: nothing. */
import { expect, test } from "vitest";
import { Driver, openOrClose } from "../../../../src/federation/protocol/machine/driver.js";

function parts() {
  const ended: string[] = [];
  const store = {
    append: () => Promise.resolve(),
    close: () => Promise.resolve(void ended.push("store")),
  };
  const transport = { close: () => Promise.reject(new Error("the link is gone")) };
  const machine = { handle: () => [], dispose: () => void ended.push("machine") };
  return { ended, machine, options: { transport, store: store as never } };
}

test("the store is closed and the machine's keys are wiped", async () => {
  const { ended, machine, options } = parts();
  const driver = new Driver<never, { type: "none" }, void>({
    ...options,
    machine,
    perform: () => undefined,
  });
  driver.fail(new Error("why the run ends"));
  await expect(driver.done).rejects.toThrow("why the run ends");
  expect(ended).toEqual(["store", "machine"]);
});

test("a machine that does not open says why, and the store is closed", async () => {
  const { ended, options } = parts();
  const opening = openOrClose({ ...options, signal: undefined }, () => {
    throw new Error("why it does not open");
  });
  await expect(opening).rejects.toThrow("why it does not open");
  expect(ended).toEqual(["store"]);
});
