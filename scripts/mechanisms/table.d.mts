/** A row of the table. */
export interface MechanismRow {
  mechanism: string;
  variant: string | null;
  form: "exact" | "float";
  statistic: string;
  event: string;
  budget: "epsilon" | "mu";
  sound: boolean;
  exact: boolean;
  why: string;
  statement: string;
  proof: string[];
  sampler: string[];
  tests: string[];
  audit: { test: string; command: string };
}

export interface MechanismTable {
  format: string;
  version: number;
  mechanisms: MechanismRow[];
  compositions: { name: string; statement: string; proof: string; tests: string[] }[];
}

export function statementOf(text: string, label: string | undefined, path: string): string;
export function mechanismTable(
  createMechanism: (options: object) => object,
  read: (path: string) => string,
): MechanismTable;
