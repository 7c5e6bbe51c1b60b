/** The marks on the page's performance timeline say what workers do, not what they were asked with or died of. */
import { afterEach, expect, test } from "vitest";
import { marked } from "../../page/src/work/life.js";
import { READY } from "../../page/src/work/steady-port.js";

afterEach(() => performance.clearMarks());

test("what a worker was asked, answered and died of is not on the timeline", () => {
  let message: (data: unknown) => void = () => undefined;
  let failure: (cause: Error) => void = () => undefined;
  const port = marked({
    post: () => undefined,
    listen: (onMessage, onFailure) => {
      [message, failure] = [onMessage, onFailure];
    },
    terminate: () => undefined,
  });
  const heard: unknown[] = [];
  port.listen(
    (data) => heard.push(data),
    (cause) => heard.push(cause),
  );
  message(READY);
  port.post({ id: 1, job: { kind: "table", file: { name: "secret.csv" } } });
  message({ id: 1, progress: { round: 1, frame: "secret" } });
  message({ id: 1, error: { message: 'row 7: "secret" is no number' } });
  const cause = new Error('row 8: "secret" is no number');
  failure(cause);
  port.terminate();
  expect(heard).toHaveLength(4);
  expect(heard.at(-1)).toBe(cause);
  const marks = performance.getEntriesByType("mark").map(({ name }) => name);
  expect(marks.map((name) => name.replace(/\d+/, "N"))).toEqual([
    "worker N opened",
    "worker N ready",
    "worker N asked 1 table",
    "worker N answered 1",
    "worker N failed",
    "worker N ended",
  ]);
});
