/** Following a run whose server does not answer. */
import { expect, test } from "vitest";
import { follow, type Standing } from "../../../src/cli/operator/follow.js";

test("it ends when its time is up, or when it is interrupted, though what it asks is not answered", async () => {
  const end = new AbortController();
  let asked = 0;
  const ask = () => {
    asked++;
    return new Promise<Standing<string>>(() => undefined);
  };
  const followed = follow(ask, () => undefined, end.signal);
  end.abort(new Error("not over within 5 s"));
  await expect(followed).rejects.toThrow("not over within 5 s");
  await expect(follow(ask, () => undefined, end.signal)).rejects.toThrow("not over within 5 s");
  expect(asked).toBe(1);
});
