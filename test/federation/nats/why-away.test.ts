/** A link that does not come back: whoever waits is told why, once for each reason. */
import { expect, test } from "vitest";
import { tellWhyAway } from "../../../src/federation/nats/why-away.js";
import { until } from "./until.js";

/** A client whose link is changed by hand. */
function client() {
  const changes: string[] = [];
  let wake: () => void = () => undefined;
  return {
    turn(type: string) {
      changes.push(type);
      wake();
    },
    async *status() {
      for (;;) {
        while (changes.length > 0) yield { type: changes.shift()! };
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

test("each reason once, and none where the link is back in time, or the attempt gets through", async () => {
  const link = client();
  const told: string[] = [];
  let reason: string | undefined = "refused";
  let attempts = 0;
  const attempt = () => {
    attempts++;
    return reason === undefined ? Promise.resolve() : Promise.reject(new Error(reason));
  };
  void tellWhyAway(link, attempt, ({ message }) => told.push(message), 5);
  const more = async (count: number) => {
    const goal = attempts + count;
    await until(() => attempts >= goal);
  };
  link.turn("disconnect");
  await more(3);
  expect(told).toEqual(["refused"]);
  reason = "certificate has expired";
  await more(2);
  reason = undefined;
  await more(2);
  expect(told).toEqual(["refused", "certificate has expired"]);
  link.turn("reconnect");
  await new Promise((resolve) => setTimeout(resolve, 10));
  const before = attempts;
  reason = "refused";
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(attempts).toBe(before);
  link.turn("disconnect");
  await more(2);
  link.turn("close");
  expect(told).toEqual(["refused", "certificate has expired", "refused"]);
});
