/**
 * Which options of `account` go together.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import { flagName } from "../../core/messages/flag-name.js";
import { mechanismsTaking } from "../../privacy/mechanisms/catalogue.js";
import type { AccountValues } from "./options.js";

/** Whether single records, or tasks and records, are what a plan is asked for. */
const hidesRecords = ({ unit }: AccountValues) => unit === "record" || unit === "both";

/** Refuses a flag that this way of accounting would pass over in silence. */
export function refuseUnused(values: AccountValues): void {
  const { mechanism } = values;
  const goesWith = (option: "sampling" | "degreesOfFreedom") => {
    const taking = mechanismsTaking(option);
    const used = mechanism !== undefined && taking.includes(mechanism);
    return [used, `--mechanism ${taking.join(" or ")}`] as const;
  };
  const uses: Partial<Record<keyof AccountValues, readonly [used: boolean, by: string]>> = {
    noise: [mechanism !== undefined, "--mechanism"],
    schedule: [
      mechanism !== undefined && values.noise === undefined,
      "--mechanism without --noise, which is that of every round",
    ],
    statistic: [mechanism !== undefined, "--mechanism"],
    classes: [values.loss === "softmax" && !hidesRecords(values), "--loss softmax and --unit task"],
    unit: [!mechanism && !values.events, "--tasks, --features, --rows and --epsilon alone"],
    rows: [!mechanism && !values.events, "--tasks, --features and --epsilon alone"],
    plot: [mechanism !== undefined || values.events !== undefined, "--events or --mechanism"],
    samplingRate: values.method === undefined ? goesWith("sampling") : [true, "--method"],
    picks: values.samplingRate === undefined ? goesWith("sampling") : [false, "no --sampling-rate"],
    method: [hidesRecords(values), "--unit record or both"],
    recordClip: [values.method !== undefined, "--method"],
    ownModel: [values.unit === "record", "--unit record"],
    localSteps: [values.ownModel === "noisy", "--own-model noisy"],
    degreesOfFreedom: goesWith("degreesOfFreedom"),
  };
  for (const [key, [used, by]] of Object.entries(uses)) {
    if (!used && values[key as keyof AccountValues] !== undefined) {
      throw new OptionError(
        `--${flagName(key)} goes with ${by}: change that, or leave --${flagName(key)} out.`,
      );
    }
  }
  const persons = values.rowsPerPerson > 1 || values.tasksPerPerson > 1;
  if (persons && (values.unit ?? "task") === "task") {
    throw new OptionError("--rows-per-person, --tasks-per-person go with --unit record or both.");
  }
}
