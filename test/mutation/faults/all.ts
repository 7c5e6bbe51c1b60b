/**
 * The faults by area.
 * @module
 */
import type { Fault } from "./fault.js";
import { FAULTS as accounting } from "./accounting.js";
import { FAULTS as agreedPlans } from "./agreed-plans.js";
import { FAULTS as audits } from "./audits.js";
import { FAULTS as exactNoise } from "./exact-noise.js";
import { FAULTS as families } from "./families.js";
import { FAULTS as federation } from "./federation.js";
import { FAULTS as files } from "./files.js";
import { FAULTS as floats } from "./floats.js";
import { FAULTS as laterTasks } from "./later-tasks.js";
import { FAULTS as ledgers } from "./ledgers.js";
import { FAULTS as lossDistributions } from "./loss-distributions.js";
import { FAULTS as mechanisms } from "./mechanisms.js";
import { FAULTS as mixed } from "./mixed.js";
import { FAULTS as records } from "./records.js";
import { FAULTS as relays } from "./relays.js";
import { FAULTS as releases } from "./releases.js";
import { FAULTS as reports } from "./reports.js";
import { FAULTS as rounds } from "./rounds.js";
import { FAULTS as secureSums } from "./secure-sums.js";
import { FAULTS as selections } from "./selections.js";
import { FAULTS as tables } from "./tables.js";
import { FAULTS as votes } from "./votes.js";

/** Every area, and the faults to plant there. */
export const AREAS: Readonly<Record<string, readonly Fault[]>> = {
  accounting,
  "agreed-plans": agreedPlans,
  audits,
  "exact-noise": exactNoise,
  families,
  federation,
  files,
  floats,
  "later-tasks": laterTasks,
  ledgers,
  "loss-distributions": lossDistributions,
  mechanisms,
  mixed,
  records,
  relays,
  releases,
  reports,
  rounds,
  "secure-sums": secureSums,
  selections,
  tables,
  votes,
};
