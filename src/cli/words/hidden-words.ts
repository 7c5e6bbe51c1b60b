/**
 * What a guarantee hides from whom, in words for people who know nothing of differential privacy.
 * @module
 */
import type { Adjacency } from "../../privacy/index.js";

/** By adjacency and the unit of the guarantee; "would have seen nearly the same" follows. */
export const HIDDEN: Readonly<
  Record<Adjacency, Readonly<Record<"task" | "record" | "person", string>>>
> = {
  replace: {
    task: "whatever one task's data had been, all others together",
    record: "whatever one record (row) of one task had been, all other tasks together",
    person: "whatever the rows of one person had been, all other tasks together",
  },
  "zero-out": {
    task: "whether one task adds what it does or nothing, all others together",
    record:
      "whether one record (row) of one task adds what it does or nothing, all other tasks together",
    person: "whether the rows of one person add what they do or nothing, all other tasks together",
  },
};
