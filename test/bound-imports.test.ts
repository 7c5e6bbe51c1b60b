/** The runner's rewriting of imports of src/: names, lines and what it leaves alone. */
import { expect, test } from "vitest";
import { bindImports } from "./bound-imports.js";

test("names that are imported become constants of the module, on the same lines", () => {
  const code = [
    `import { exp, log as ln } from "./elementary.js";`,
    `import {`,
    `  erfc,`,
    `  erfcx,`,
    `} from './erfc.js';`,
    `export const twice = (x) => ln(exp(x)) + erfc(x) + erfcx(x);`,
  ];
  const bound = bindImports(code.join("\n")).split("\n");
  expect(bound).toHaveLength(code.length);
  expect(bound[0]).toBe(
    `import { exp as __bound_0, log as __bound_1 } from "./elementary.js"; const exp = __bound_0, ln = __bound_1;`,
  );
  expect(bound[1]).toContain(`} from './erfc.js'; const erfc = __bound_2, erfcx = __bound_3;`);
  expect(bound.at(-1)).toBe(code.at(-1));
});

test("other imports and exports stay as they are", () => {
  const code = [
    `import seedrandom from "seedrandom";`,
    `import * as all from "./all.js";`,
    `import "./effects.js";`,
    `export { exp } from "./elementary.js";`,
    `const text = "import { a } from 'b';";`,
  ].join("\n");
  expect(bindImports(code)).toBe(code);
});
