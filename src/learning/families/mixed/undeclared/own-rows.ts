/**
 * What a task of numbers makes of its rows as they were given, once all is released, where columns were voted on.
 * @module
 */
import type { TaskSet } from "../../../../data/index.js";
import type { MixedModels } from "../exchange.js";
import type { Units } from "../units.js";
import { deniedVotes } from "./denied-votes.js";
import { pooledAlone } from "./pooled-alone.js";

/** The models, of tasks whose own rows say otherwise changed: post-processing of these rows, for which nothing is released. */
export const withOwnRows = (models: MixedModels, units: Units, data: TaskSet): MixedModels =>
  units.untold ? pooledAlone(models, units, data) : deniedVotes(models, units, data);
