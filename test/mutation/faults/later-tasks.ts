/**
 * Tasks that come after a fit: what they are refused for, and what is told of them.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/learning", {
  "families/mixed/fit-new-task.ts": [
    {
      from: 'loss === "squared" ? deniedVotes(found, units, tasks) : found',
      to: "found",
      breaks: "A later task denies votes as those of the fit do.",
    },
    {
      from: "if (units.untold) requireWhole(tasks);",
      to: "",
      breaks: "Sums of rows are refused where the prior is of differences.",
    },
  ],
  "new-tasks.ts": [
    {
      from: "requireSquarableRows(given);",
      to: "",
      breaks: "A later task's numbers that cannot be squared are refused by name.",
    },
    {
      from: "const tasks = denseTasks(given);",
      to: "const tasks = given;",
      breaks: "A later task may have sparse rows.",
    },
  ],
  "families/subspace/fit-new-task.ts": [
    {
      from: "requireSame(prior, tasks);",
      to: "",
      breaks: "A later task of other features is refused.",
    },
  ],
  "fitted/scores/score-new-tasks.ts": [
    {
      from: "denseTasks(tasks).x",
      to: "tasks.x",
      breaks: "Tasks of sparse rows are scored.",
    },
  ],
});
