/**
 * What tells one method whose broadcast is a prior from another.
 * @module
 */
import type { Mechanism } from "../../../privacy/index.js";
import type { PublicSizes } from "../../round/halves.js";
import type { PlannedStage } from "../../round/release-plan.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import type { PriorMethodOptions } from "./options.js";
import { ROUNDS } from "./records/record-settings.js";

/** One such method. */
export interface PriorMethod {
  readonly statistic: Mechanism["statistic"];
  /** K, the norm of what is uploaded. */
  readonly clip: number;
  /** Whether tasks solve around the broadcast's center. */
  readonly centered: boolean;
  /** Whether later rounds upload in the coordinates of the prior before. */
  readonly refined: boolean;
  /** T for `rounds: "auto"`, from public sizes. */
  rounds(m: number, d: number): number;
  /** f of Algorithm 1 for d features, from the planned stage and its noise. */
  rule(stage: PlannedStage, d: number): SharingRule;
}

/** T, the same for curator and tasks. */
export function roundsOf(
  definition: PriorMethod,
  { rounds, curator, unit }: PriorMethodOptions,
  { m, d }: PublicSizes,
): number {
  if (rounds !== "auto") return rounds;
  if (unit !== "task") return ROUNDS;
  // Record noise grows with every round.
  return curator === "untrusted" ? 1 : definition.rounds(m, d);
}
