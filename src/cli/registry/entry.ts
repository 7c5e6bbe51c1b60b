/**
 * A fitted model as an entry of the public registry of deployments of differential privacy, in the registry's third tier:
 * what the model's guarantee says, and what only its publisher knows.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { DataError, VERSION } from "../../core/index.js";
import type { FittedModel } from "../../learning/index.js";
import { personWords, trustWords, type Guarantee } from "../../privacy/index.js";
import { guaranteeLines } from "../fitted/guarantee-text.js";
import { shortPromise } from "../words/short.js";
import { checkRegistryEntry, type RegistryEntry, type SECTORS } from "./schema.js";

/** What no model can say. */
export interface RegistryAnswers {
  /** What the models are for. */
  readonly intent: string;
  /** What region the data describe, or whose laws apply. */
  readonly region: string;
  /** Who fills out the entry, and publishes unless `curators` says who does. */
  readonly authors: readonly string[];
  readonly curators?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly sector?: (typeof SECTORS)[number] | undefined;
  /** YYYY-MM-DD. */
  readonly date: string;
}

/**
 * @throws DataError where the model has no guarantee that holds for its tasks: there is nothing to register.
 */
export function registryEntry(model: FittedModel, answers: RegistryAnswers): RegistryEntry {
  const { guarantee } = model;
  if (guarantee.kind === "none") {
    throw new DataError(`--registry: the model has no privacy guarantee: ${guarantee.why}.`);
  }
  if (!guarantee.private) {
    throw new DataError(
      "--registry: the model's guarantee holds for no one: its noise was seeded or its mechanism is not sound. " +
        "Fit again without a seed, by a sound mechanism.",
    );
  }
  if (guarantee.later !== undefined) {
    throw new DataError(
      "--registry: this model is of tasks that came after a fit, of whose rows nothing was released; register the model of the fit.",
    );
  }
  const source = sourceOf(model);
  const { name = `Models of ${source.target}, one for each ${source.unit}` } = answers;
  return checkRegistryEntry({
    url_slug: slugOf(name),
    status: "Draft",
    tier: 3,
    deployment: {
      basic: {
        name,
        data_curators: [...(answers.curators ?? answers.authors)],
        intended_use: answers.intent,
        data_product_type: "Machine learning model",
        data_product_region: answers.region,
        description:
          `Models of ${source.target} from ${counted(model.d, "feature")} for ${counted(model.m, "task")} (${source.unit}), learned together ` +
          `by ${model.method} of mp-mtl; every task is handed its own model.`,
        publication_date: answers.date,
        ...(answers.sector === undefined ? {} : { data_product_sector: answers.sector }),
      },
      ...privacyOf(guarantee, model.m, source.unit),
      deployment_model: deploymentOf(guarantee),
      accounting: {
        composition:
          `${counted(model.rounds, "round")}, all that epsilon counts was charged to one ledger before its noise was drawn; accountant: ${guarantee.accountant}. ` +
          `${guarantee.scope}.${besideWords(model)}`,
        post_processing:
          "What is broadcast, and every task's model given its own rows, are functions of the noisy releases.",
      },
      implementation: {
        preprocessing_and_hyperparameter_tuning: preparedBy(guarantee),
        mechanisms: `${guarantee.mechanism}: ${guarantee.why}. mp-mtl ${VERSION}. Noise source: ${guarantee.noiseSource}, the platform's cryptographic generator.`,
        justification:
          model.choice === null
            ? "The method was named by the publisher."
            : `The method was taken by public sizes and by what was declared: ${model.choice.why}.`,
      },
      administrative: { registry_authors: [...answers.authors] },
    },
  });
}

/** Releases that the joint epsilon does not count: those of tasks to their own models, or to a curator. */
function besideWords({ recordGuarantee: one, ledger, recordLedger }: FittedModel): string {
  const isBeside = JSON.stringify(recordLedger) !== JSON.stringify(ledger);
  if (!one || !isBeside) return "";
  const party = one.against === "own model" ? "whoever is given a task's own model" : "the curator";
  return (
    ` Not counted in it are releases that ${party} sees beside: against that party one ${one.unit} is promised epsilon ` +
    `${shortPromise(one.epsilon)}, delta ${shortPromise(one.delta)}, by a ledger of its own.`
  );
}

/** The names of the columns, where the model was made from a table. */
function sourceOf({ preprocessing }: FittedModel): { target: string; unit: string } {
  const encoding = preprocessing?.encoding;
  const task = encoding?.task;
  return {
    target: encoding ? `"${encoding.target}"` : "a target",
    unit: typeof task === "string" ? `"${task}"` : "task",
  };
}

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "") || "models";

function unitOf({ unit = "task", person }: Partial<Guarantee>, task: string): string {
  if (unit === "task") return `one task: all rows of one ${task}`;
  return unit === "person" && person
    ? `one person: ${personWords(person)}`
    : `one record: one row of one ${task}`;
}

/** Whom epsilon is against. */
const adversaryOf = ({ colluding }: Guarantee) =>
  colluding === undefined
    ? "all the tasks that do not have it, together"
    : `the curator with up to ${counted(colluding, "participant")}; against all others together it is the epsilon of one honest noise share`;

/** Whether the curator sees sums alone. */
const seesSums = ({ colluding, trust }: Guarantee) =>
  colluding !== undefined || trust === trustWords({ kind: "two-aggregators" });

function privacyOf(guarantee: Guarantee, m: number, unit: string) {
  const { epsilon, delta, adjacency, notCovered, notCharged } = guarantee;
  const unprotected = [...notCovered, ...notCharged.map((what) => `not charged: ${what}`)];
  return {
    dp_variant: {
      variant_name: delta === 0 ? "Pure DP" : "Approximate DP",
      data_domain: `Tables of ${counted(m, "task")} with any rows each; their number and numbers of rows are public.`,
      unprotected_quantities: unprotected.join("; "),
    },
    privacy_loss: {
      privacy_unit: unitOf(guarantee, unit),
      privacy_unit_details: `${adjacency} adjacency: ${guarantee.neighbours}. Joint differential privacy: of each ${guarantee.unit ?? "task"} against ${adversaryOf(guarantee)}.`,
      privacy_parameters: { epsilon, ...(delta === 0 ? {} : { delta }) },
      privacy_parameters_details: guaranteeLines({ ...guarantee, notCharged: [] }).join("\n"),
    },
  };
}

function deploymentOf(guarantee: Guarantee) {
  return {
    model_name: seesSums(guarantee) ? "Federated" : "Central",
    model_name_details: guarantee.trust,
    actors: `Owners of tasks, each of whom sees the broadcasts and its own model; ${guarantee.trust}.`,
    release_type: "One release",
    release_type_details: guarantee.scope,
    data_source_type: "Static",
    access_type: "Non-interactive",
    access_type_details: "Models are handed to the owners of their tasks; nobody queries the data.",
  };
}

function preparedBy({ notCharged, selection }: Guarantee): string {
  return [
    selection
      ? `Hyper-parameters were chosen among ${selection.candidates} candidates under the same budget.`
      : "No fit was chosen among several under the budget; what releases decided on the way, such as bounds and sizes, is charged with them.",
    notCharged.length > 0
      ? `Computed from the data and not charged: ${notCharged.join(", ")}.`
      : "Nothing was computed from several tasks' data without a charge.",
    "What was chosen by other looks at the data a model does not know.",
  ].join(" ");
}
