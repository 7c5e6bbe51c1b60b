/**
 * How a run comes by the bound on what tasks upload where its plan names none, in words, and what that costs.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { methodNamed } from "../../learning/methods.js";
import { clipVote, type ClipContext } from "../../learning/votes/clip-plan.js";
import type { Plan } from "./plan-form.js";

/** A line, if the bound is learned. */
export function clipWords(plan: Plan): string[] {
  const { method, options, tasks, minimumTasks } = plan;
  // Where single records are hidden another bound is what counts.
  if (options["clip"] !== "auto" || options["unit"] === "record") return [];
  const m = tasks?.length ?? minimumTasks;
  const [statistic] = methodNamed(method).privacy!.statistics;
  const vote = clipVote({ ...(options as unknown as ClipContext), statistic: statistic! }, m);
  const units = "Vectors of the rounds are in units of a bound K on what they are made of";
  if (!vote) {
    return [
      `${units}, which with ${counted(m, "task")} is a guess from what the plan declares: a vote would be lost in its noise. Sizes at the start decide.`,
    ];
  }
  return [
    `${units}: before the first round every task votes on K with one vector of norm at most 1, made of the norm of what it would upload. With ` +
      `${counted(m, "task")} this takes ${Math.round(100 * vote.budgetShare!)} % of the budget; sizes at the start decide.`,
  ];
}
