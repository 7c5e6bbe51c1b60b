/**
 * The neighbouring world of `zero-out`: the canary uploads zeros.
 *
 * Rows of zeros do not make every task upload zeros: what it uploads may follow from broadcasts, as where its model is drawn towards the
 * shared one, and a mixed model's scores say of such rows that they are small. A world with them lies up to twice as far from the other as the claim's.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { Estimator } from "../round/estimator.js";
import type { Halves, ParticipantContext, ParticipantHalf } from "../round/halves.js";
import type { Participants } from "../round/participants.js";

/** The same estimator, in whose fits the task at this position uploads zeros; undefined where its uploads are not ours to change. */
export function silenced(estimator: Estimator, position: number): Estimator | undefined {
  const { halves } = estimator as Partial<{ halves: Halves }>;
  if (!halves) return undefined;
  const participants = (context: ParticipantContext): ParticipantHalf => {
    const half = halves.participants(context);
    const row = context.positions.indexOf(position);
    if (row < 0) return half;
    return { ...half, stages: half.stages.map((stage) => silentIn(stage, context, row)) };
  };
  return Object.create(estimator, {
    halves: { value: { ...halves, participants } satisfies Halves },
  }) as Estimator;
}

/** A batch of tasks of which one uploads zeros. */
function silentIn(stage: Participants, { core }: ParticipantContext, row: number): Participants {
  const { m, uploadLength } = stage;
  return {
    m,
    uploadLength,
    prepare: async (...where) => stage.prepare?.(...where),
    common: (round) => stage.common?.(round),
    upload(round, marks): Pointer {
      const at = stage.upload(round, marks);
      core.arena.view(at + 8 * row * uploadLength, uploadLength).fill(0);
      return at;
    },
    receive: (...what) => stage.receive(...what),
  };
}
