/**
 * The two relations of neighbouring worlds, as words that are checked.
 * @module
 */
import { oneOf } from "../../core/checks.js";
import type { Adjacency } from "./event-kinds.js";

/** One of the two. @throws RangeError for another, which would be taken for one of them. */
export const checkAdjacency = (adjacency: Adjacency, name = "adjacency"): Adjacency =>
  oneOf(name, adjacency, ["replace", "zero-out"]);
