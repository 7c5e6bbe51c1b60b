/** A link that does not come back: whoever waits is told why, once for each reason. */
import { expect, test } from "vitest";
import { tellWhyAway } from "../../../../src/federation/nats/connection/why-away.js";
import { until } from "../servers/until.js";

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

test("a link that comes and goes: each reason once, with one attempt, until it was steady for a while", async () => {
  const link = client();
  const told: string[] = [];
  let [time, attempts] = [0, 0];
  let outcome: () => Promise<void> = () => Promise.resolve();
  const attempt = () => {
    attempts++;
    return outcome();
  };
  void tellWhyAway(
    link,
    attempt,
    ({ message }) => told.push(message),
    20_000,
    () => time,
  );
  const turn = async (type: string, at: number) => {
    time = at;
    link.turn(type);
    // What it does at once is done then.
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const flap = async (from: number, to: number, period: number) => {
    for (let at = from; at < to; at += period) {
      await turn("disconnect", at);
      await turn("reconnect", at + 900);
    }
  };
  await flap(0, 19_000, 3000);
  expect([attempts, told]).toEqual([0, []]);
  await flap(21_000, 90_000, 3000);
  expect([attempts, told.length]).toEqual([1, 1]);
  expect(told[0]).toMatch(/^nats: the link comes and goes: it was lost 8 times in 21 s, and /);
  // Steady, and then the same again, of which the attempt tells the reason; it is heard although the link is back before it.
  const refused = (at: string) => new Error(`at ${at}: refused`, { cause: new Error("refused") });
  outcome = () => new Promise((_, reject) => setTimeout(() => reject(refused("12:00")), 8));
  await flap(120_000, 180_000, 5000);
  await turn("close", 200_000);
  expect([attempts, told.slice(1)]).toEqual([expect.any(Number), ["at 12:00: refused"]]);
  expect(attempts).toBeLessThanOrEqual(4);
});

test("a reason is told once though its words have the time, and nothing of a link that is closed", async () => {
  const link = client();
  const told: string[] = [];
  let attempts = 0;
  const attempt = () => {
    const cause = new Error("certificate has expired");
    return Promise.reject(new Error(`${++attempts}: certificate has expired`, { cause }));
  };
  void tellWhyAway(link, attempt, ({ message }) => told.push(message), 5);
  link.turn("disconnect");
  await until(() => attempts >= 3);
  expect(told).toEqual(["1: certificate has expired"]);
  link.turn("close");
});
