/**
 * What the canary would have uploaded in the other world, after the same broadcasts.
 *
 * What a task uploads follows from its rows and the broadcasts. The adversary has these and knows both candidates for the rows, so it
 * knows both vectors of every round to the bit; a guess from another fit, whose noise is another, would hide part of what is released.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { DividedEstimator } from "../release/private-estimator.js";
import type { Estimator } from "../round/estimator.js";
import type { Halves, ParticipantContext, ParticipantHalf } from "../round/halves.js";
import type { Participants } from "../round/participants.js";

/** The task as it is in the other world. */
export interface OtherSelf {
  /** Its position in the run. */
  readonly position: number;
  /** The other world. */
  readonly tasks: TaskSet;
  /** Called in every round before what is uploaded is shown, with what the task would have uploaded. */
  readonly tell: (upload: Float64Array) => void;
}

/**
 * The same estimator, whose fits tell it too. Left as it is where uploads are not a function of a task's rows and the broadcasts
 * alone, or not of that task alone: a method without halves, noise of the tasks' own, models that are solved together. Where tasks
 * are drawn nothing is told.
 */
export function withOtherSelf(estimator: Estimator, self: OtherSelf): Estimator {
  const { halves } = estimator as Partial<{ halves: Halves }>;
  if (!halves) return estimator;
  const participants = (context: ParticipantContext): ParticipantHalf => {
    const half = halves.participants(context);
    const apart = half.stages.every(({ m }) => m === context.data.m);
    if (half.records || !apart || !context.positions.includes(self.position)) return half;
    const rows = (estimator as DividedEstimator).rowsFor(self.tasks);
    const other = halves.participants({
      ...context,
      data: rows.select([rows.names[self.position]!]),
      positions: [self.position],
    });
    const stages = half.stages.map((stage, k) => beside(stage, other.stages[k]!, context, self));
    const close = () => {
      other.close();
      half.close();
    };
    return { ...half, stages, close };
  };
  return Object.create(estimator, {
    halves: { value: { ...halves, participants } satisfies Halves },
  }) as Estimator;
}

/** Both selves take the round's broadcast; the first one's upload is sent. */
function beside(
  stage: Participants,
  other: Participants,
  { core }: ParticipantContext,
  { tell }: OtherSelf,
): Participants {
  const { m, uploadLength, total } = stage;
  return {
    m,
    uploadLength,
    ...(total ? { total: (round: number) => total.call(stage, round) } : {}),
    prepare: async (...where) => stage.prepare?.(...where),
    common: (round) => stage.common?.(round),
    upload(round, marks) {
      if (!marks) tell(core.arena.view(other.upload(round), other.uploadLength).slice());
      return stage.upload(round, marks);
    },
    receive(...what) {
      other.receive(...what);
      stage.receive(...what);
    },
  };
}
