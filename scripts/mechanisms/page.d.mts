import type { MechanismTable } from "./table.mjs";

export function mechanismsPage(table: MechanismTable): string;
