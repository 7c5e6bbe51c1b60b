/** Whom a round waits for, against the definition, and what it costs to ask at every answer. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  Attendance,
  type AttendanceOptions,
} from "../../../../src/federation/curator/rounds/attendance.js";

/** Tasks dealt to owners in turn; who has answered and who was expelled is told by hand. */
function desk(m: number, owners: number, quorum: number) {
  const seen = new Set<number>();
  const expelled = new Set<string>();
  let asked = 0;
  const ownerOf = (at: number) => `p${at % owners}`;
  const positions = Array.from({ length: m }, (_, at) => at);
  const options = {
    rounds: {
      tasks: m,
      get answered() {
        return seen.size;
      },
      isMissing: (at: number) => (asked++, !seen.has(at)),
      missing: () => positions.filter((at) => !seen.has(at)),
    },
    registry: {
      ownerOf,
      positionsOf: (name: string) => positions.filter((at) => ownerOf(at) === name),
      isExpelled: (name: string) => expelled.has(name),
      get awaited() {
        return positions.filter((at) => !expelled.has(ownerOf(at))).length;
      },
    },
    quorum,
  } as unknown as AttendanceOptions;
  return { attendance: new Attendance(options), seen, expelled, ownerOf, asked: () => asked };
}

test("it is enough when the quorum is there and whoever else is not behind, in whatever order things happen", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4), fc.nat(6)), {
    minLength: 5,
    maxLength: 60,
  });
  let closed = 0;
  fc.assert(
    fc.property(steps, fc.constantFrom(0.3, 0.6, 1), (list, quorum) => {
      const { attendance, seen, expelled, ownerOf } = desk(7, 4, quorum);
      const behind = new Set<string>();
      let overdue = false;
      attendance.begin();
      for (const [what, at] of list) {
        const owner = ownerOf(at);
        if (what === 0) {
          attendance.back(owner);
          behind.delete(owner);
          seen.add(at);
          attendance.answered(owner);
        } else if (what === 1) {
          attendance.expire();
          overdue = true;
          for (const one of attendance.missing()) behind.add(one);
        } else if (what === 2) expelled.add(owner);
        else if (what === 3) {
          attendance.back(owner);
          behind.delete(owner);
        } else {
          seen.clear();
          overdue = false;
          attendance.begin();
        }
        const left = attendance.missing().filter((one) => !behind.has(one));
        const there = seen.size > 0 && seen.size >= attendance.needed;
        expect(attendance.enough).toBe(there && (overdue || left.length === 0));
        if (there && !overdue && left.length === 0) closed++;
      }
    }),
    { numRuns: 2000, seed: 3 },
  );
  expect(closed).toBeGreaterThan(100);
});

test("asking at every answer looks at each task a few times a round, not at all of them every time", () => {
  const m = 2000;
  const { attendance, seen, asked } = desk(m, m, 0.5);
  attendance.begin();
  for (let at = 0; at < m; at++) {
    seen.add((at * 7) % m);
    expect(attendance.enough).toBe(at === m - 1);
  }
  expect(asked()).toBeLessThan(3 * m);
});
