/** Room that is kept from one release to the next is as good as new. */
import { expect, test } from "vitest";
import { UploadRoom } from "../../../../src/learning/families/mixed/upload-room.js";
import { Room } from "../../../../src/linalg/room.js";

test("uploads begin with zeros, however many the release before had", () => {
  const room = new UploadRoom();
  for (const n of [3, 8, 5, 8, 0, 9]) {
    const taken = room.take(n);
    expect([...taken]).toEqual(Array.from({ length: n }, () => 0));
    taken.fill(7);
  }
  expect(room.take(4).buffer).toBe(room.take(9).buffer);
});

test("short arrays of one clearing never overlap, and are zeros, whatever was asked for before", () => {
  const room = new Room();
  for (const sizes of [[3, 5, 2], [3, 5, 2], [3, 4, 4], [5000, 3], [3, 5, 2], [], [2, 2]]) {
    room.clear();
    const all = sizes.map((n, k) => room.take(n).fill(k + 1));
    all.forEach((one, k) =>
      expect([...one]).toEqual(
        sizes.slice(k, k + 1).flatMap((n) => Array.from({ length: n }, () => k + 1)),
      ),
    );
    room.clear();
    expect([...room.take(4)]).toEqual([0, 0, 0, 0]);
  }
});
