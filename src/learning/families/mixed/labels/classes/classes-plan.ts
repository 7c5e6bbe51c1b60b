/**
 * The releases of the private mixed model with several classes: those of one against the rest, for all classes at once.
 *
 * A task's upload of a release is that of every class, each of norm at most 1, one behind the other and divided by the root of their
 * number C: of norm at most 1, and of inner products that are means over the classes of theirs, so that those of moments are never
 * negative. A class is so told what a budget of mu / sqrt(C) would tell it alone, and the rounds are as many as of two classes.
 * @module
 */
import type { MixedRelease, MixedSizes } from "../../exchange.js";
import { logisticPlan } from "../logistic-plan.js";

/** The budget of one class. */
export const classMu = (mu: number, classes: number): number => mu / Math.sqrt(classes);

/** The releases of one class, as it plans them. */
export const classPlan = (sizes: MixedSizes, mu: number): MixedRelease[] =>
  logisticPlan(sizes, classMu(mu, sizes.classes!));

/** The releases of all classes together. */
export const classesPlan = (sizes: MixedSizes, mu: number): MixedRelease[] =>
  classPlan(sizes, mu).map((release) => ({ ...release, length: release.length * sizes.classes! }));
