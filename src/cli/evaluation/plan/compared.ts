/**
 * Which methods an evaluation compares where nobody names any, and what it says of those it leaves out. A stranger's
 * table gets what suits grouped rows: what auto takes, learning alone, and what one owner of everything could have.
 * The papers' methods are for rows of length 1 and many tasks whose models lie in few directions: as simulated.
 * @module
 */
import type { LossName } from "../../../learning/index.js";
import { AUTO, METHODS } from "../../../learning/methods.js";

/** What the choice is made from. */
export interface ComparedFacts {
  readonly loss: LossName;
  readonly sparse: boolean;
  /** Whether the data are the papers' simulations. */
  readonly simulated: boolean;
}

/** Of sparse rows: what neither needs dense ones nor works with d x d numbers. */
const COMPARED_SPARSE = [AUTO, "single-task", "group-sparse", "pmtl", "private-fedavg"];

/** What mostly stands behind auto, where it takes anything. */
const TAKEN_BY_AUTO = "mp-mixed";

const forLoss = (loss: LossName) => METHODS.filter(({ compared }) => compared.includes(loss));

const named = (names: readonly { readonly name: string }[]) => names.map(({ name }) => name);

/** The methods compared unasked. */
export function comparedUnasked({ loss, sparse, simulated }: ComparedFacts): readonly string[] {
  if (sparse) return COMPARED_SPARSE;
  const all = forLoss(loss).filter(({ simulationsOnly }) => simulated || !simulationsOnly);
  return [AUTO, ...named(all)];
}

/** What was left out of the default, and how to have it; nothing where other methods were named. */
export function leftOutNotes(methods: readonly string[], facts: ComparedFacts): string[] {
  const usual = comparedUnasked(facts);
  const asked = usual.length !== methods.length || usual.some((name, k) => name !== methods[k]);
  if (asked || facts.sparse || facts.simulated) return [];
  const papers = named(forLoss(facts.loss).filter(({ simulationsOnly }) => simulationsOnly));
  if (papers.length === 0) return [];
  const more = [...usual, ...papers];
  return [
    `left out unless named: ${papers.join(", ")}, which are for rows of length 1 and many tasks whose models lie in a ` +
      `few directions, and mostly lose to learning alone on a table as it is. To have them too: --methods ${more.join(",")}, ` +
      `with another --out. ${TAKEN_BY_AUTO} is what ${AUTO} takes where its noise is worth it; --help lists all methods`,
  ];
}
