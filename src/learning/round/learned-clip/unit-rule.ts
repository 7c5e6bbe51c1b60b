/**
 * A sharing rule of releases whose uploads were in units of a bound that was learned.
 * @module
 */
import type { LearnedClip } from "./learned-clip.js";
import type { SharingRule } from "../sharing-rule.js";
import { statistic, type StatisticName } from "../statistic/statistic.js";

/** What a statistic of vectors in units of K is multiplied by, to be that of the vectors. */
export function unitOf(name: StatisticName, clip: number): number {
  return name === "vector" || name === "moment" ? clip : clip ** 2;
}

/** The rule, given what was released in the models' own units: post-processing. */
export function inModelUnits(rule: SharingRule, clip: LearnedClip): SharingRule {
  return {
    ...rule,
    prepare(context) {
      const prepared = rule.prepare(context);
      const { core, m, d } = context;
      const length = statistic(rule.statistic).length(m, d);
      return (at, broadcast, round) => {
        const unit = unitOf(rule.statistic, clip.value);
        const values = core.arena.view(at, length);
        for (let k = 0; k < length; k++) values[k]! *= unit;
        return prepared(at, broadcast, round);
      };
    },
  };
}
