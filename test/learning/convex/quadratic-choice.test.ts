/** When labels' quadratics are taken anew, when they bend more, and when rounds go back. */
import { expect, test } from "vitest";
import { QUADRATICS, QuadraticChoice } from "../../../src/learning/convex/splitting/quadratic-choice.js"; // prettier-ignore

const [keep, around, back, same] = [QUADRATICS.keep, QUADRATICS.around, QUADRATICS.back, QUADRATICS.same]; // prettier-ignore

test("every least objective is kept, and Newton's quadratics stay Newton's", () => {
  const choice = new QuadraticChoice();
  for (const objective of [9, 5, 4, 4 * (1 + 1e-14)]) {
    expect(choice.next(objective, 1)).toEqual({ kind: keep, stiffness: 1 });
  }
  // A gap that falls is progress, too.
  expect(choice.next(4.5, 0.5)).toEqual({ kind: keep, stiffness: 1 });
});

test("a little uphill is borne for a while", () => {
  const choice = new QuadraticChoice();
  choice.next(4, 1);
  expect([5, 5, 5, 5].map((objective) => choice.next(objective, 1).kind)).toEqual([around, around, around, back]); // prettier-ignore
});

test("far uphill rounds go back, stiffer and for longer each time, and relax where that helped", () => {
  const choice = new QuadraticChoice();
  choice.next(4, 1);
  const seen = Array.from({ length: 8 }, () => choice.next(400, 1));
  expect(seen.map(({ kind }) => kind)).toEqual([back, same, same, back, same, same, same, same]);
  expect(seen.map(({ stiffness }) => stiffness)).toEqual([8, 8, 8, 64, 64, 64, 64, 64]);
  expect(choice.next(Infinity, NaN)).toEqual({ kind: back, stiffness: Infinity });
  expect(choice.next(3, 1)).toEqual({ kind: keep, stiffness: 64 });
  expect(choice.next(2, 1)).toEqual({ kind: keep, stiffness: 32 });
});
