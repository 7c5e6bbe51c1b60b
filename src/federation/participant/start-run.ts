/**
 * From the curator's start of the run to a participant in its rounds.
 * @module
 */
import { DataError, openCore, OptionError, type Core } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { releasesInWords, sayUnable } from "../protocol/party/agreement.js";
import type { Message } from "../protocol/messages/messages.js";
import { RelayedUpload } from "../relayed-sums/relayed-upload.js";
import { releasesDigest } from "../protocol/plan/releases-digest.js";
import { OwnIntegers } from "../secure-aggregation/run/own-integers.js";
import { SecureUpload } from "../secure-aggregation/run/secure-upload.js";
import { randomBytesFrom } from "../secure-aggregation/keys/random-bytes.js";
import type { SumAttempts } from "../secure-aggregation/run/sum-attempts.js";
import { aggregatorKeys } from "../verified-sums/plan/planned.js";
import { verifiedTerms } from "../verified-sums/plan/terms.js";
import { VerifiedUpload } from "../verified-sums/run/verified-upload.js";
import type { PublicSizes } from "../../learning/round/halves.js";
import type { RoundUpload } from "./round-upload.js";
import { ownEpsilons } from "./own-epsilons.js";
import type { ParticipantOptions, ParticipantOutput } from "./participant-events.js";
import { digestOfTold, type StoredState } from "./participant-records.js";
import { isKeyOf, markRows } from "./data/own-rows.js";
import { requireOwnState } from "./own-state.js";
import { ParticipantRounds } from "./participant-rounds.js";
import { ParticipantRun } from "./participant-run.js";
import { PlainUpload } from "./plain-upload.js";
import type { Question } from "./question.js";
import type { Plan } from "../protocol/plan/plan-form.js";

/** What the participant brings to the rounds. */
export interface StartOptions {
  readonly options: ParticipantOptions;
  readonly plan: Plan;
  /** The curator's release of this package. */
  readonly curators: string;
  readonly data: TaskSet;
  /** What earlier processes kept. */
  readonly before: StoredState;
  /** Where sums are secure. */
  readonly sums: SumAttempts | undefined;
  readonly output: ParticipantOutput;
  readonly question: Question;
  /** Name of the participant's state, where it adds noise. */
  readonly state: string | undefined;
}

/**
 * @throws OtherStateError if another state of this participant takes part;
 * DataError if the curator knows other tasks than were registered, or tells other sizes than before, or the data does not suit
 * the plan; OptionError if the curator makes other releases of the plan than this release of the package does.
 */
export function startRun(
  message: Extract<Message, { type: "start" }>,
  { options, plan, curators, data, before, sums, output, question, state }: StartOptions,
): ParticipantRun {
  requireOwnState(state, message.state);
  const { m, rows, mostRows, owners, positions, given, values } = message;
  // Two tasks at one place would be one task shown twice, and a secure sum moved twice as far as its noise is for.
  const places = new Set(positions.filter((at) => at < m));
  if (positions.length !== data.m || places.size !== data.m) {
    throw new DataError("start: the curator knows other tasks than were registered");
  }
  const stated = ownEpsilons(options.epsilon, data.names, plan);
  const told = positions.map((at) => owners?.epsilons[at]);
  const complete = !owners || (owners.rows.length === m && owners.epsilons.length === m);
  const most = plan.options["epsilon"];
  if (!complete || told.some((epsilon, i) => (epsilon ?? most) !== (stated[i] ?? most))) {
    throw new DataError("start: the curator knows other epsilons than the owner stated");
  }
  const { core = openCore(), records } = options;
  const sizes = { m, d: data.d, rows, mostRows, ...(owners ? { owners } : {}) };
  if (records) keepStart(digestOfTold(message), data, { options, before, output });
  const terms = { sizes, positions, start: given ? values : null };
  const rounds = new ParticipantRounds(plan, data, terms, before.shown, core);
  if (releasesDigest(rounds.releases) !== message.releases) {
    rounds.dispose();
    sayUnable(output, output.envelope);
    throw new OptionError(
      `start: the curator makes other releases of this plan than this release of mp-mtl does; nothing was uploaded. ` +
        `Of the two, ${releasesInWords(curators)}`,
    );
  }
  const upload = uploadOf(rounds, sizes, core, { options, plan, before, sums, output });
  return new ParticipantRun(rounds, upload, {
    output,
    question,
    deadline: plan.deadline,
    received: before.received,
    remembers: records !== undefined,
  });
}

/**
 * Keeps what sizes and places the curator tells, and marks of the rows, where no earlier process did. Noise and its grid follow from sizes:
 * integers that were drawn and held for one run's would stand in a sum with others' noise for another's.
 * @throws DataError if an earlier process was told others.
 */
function keepStart(
  told: string,
  data: TaskSet,
  { options, before, output }: Pick<StartOptions, "options" | "before" | "output">,
): void {
  if (before.told !== undefined && before.told !== told) {
    throw new DataError(
      "start: the curator tells other sizes than it told before, and noise that was drawn is for those; nothing more is " +
        "uploaded. Tell the others",
    );
  }
  const { rowsKey } = options;
  if (before.rows === undefined || !isKeyOf(before.rows, rowsKey)) {
    output.keep({ type: "started", told, rows: markRows(data, rowsKey) });
  }
}

type UploadOptions = Omit<StartOptions, "data" | "question" | "curators" | "state">;

/** The form that the plan's sums have. */
function uploadOf(
  rounds: ParticipantRounds,
  sizes: PublicSizes,
  core: Core,
  { options, plan, before, sums, output }: UploadOptions,
): RoundUpload {
  const { aggregation } = plan;
  const { participant } = options;
  if (!aggregation) return new PlainUpload(rounds, output, before.shown);
  if (aggregation.kind === "relays") return new RelayedUpload(rounds, output, aggregation);
  if (aggregation.kind === "secure") {
    const { integers, drawn } = before;
    // Killed after it held them and before it kept that it drew them: held ones may be lost, what is kept is not.
    if (integers && drawn < integers.round) output.keep({ type: "drawn", round: integers.round });
    const planned = { ...plan, aggregation };
    const own = new OwnIntegers(core, planned, rounds.releases, participant, before);
    return new SecureUpload(rounds, output, sums!, own, integers?.round ?? 0);
  }
  const { session, plan: hash } = output.envelope;
  return new VerifiedUpload(rounds, output, {
    run: { plan: hash, run: plan.run, session, sizes },
    terms: verifiedTerms(rounds.releases),
    participant,
    aggregators: aggregatorKeys(aggregation),
    random: options.randomBytes ?? randomBytesFrom({ mode: "secure" }),
  });
}
