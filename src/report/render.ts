/**
 * From a figure to SVG text, without a browser.
 * @module
 */
import { parse, resetSVGDefIds, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { escapeText } from "./escape.js";
import type { Figure } from "./figure.js";

/** What Vega-Lite makes of a specification, and what it complains about. */
export function compileSpec(spec: TopLevelSpec) {
  const warnings: string[] = [];
  const logger = {
    level: () => logger,
    error: (...words: readonly unknown[]) => (warnings.push(words.join(" ")), logger),
    warn: (...words: readonly unknown[]) => (warnings.push(words.join(" ")), logger),
    info: () => logger,
    debug: () => logger,
  };
  const { spec: vega } = compile(spec, { logger: logger as never });
  return { vega, warnings };
}

/**
 * Draws a figure. The same figure gives the same text; its ids begin with the figure's name, so
 * that many figures fit in one page; its alternative text is part of it.
 *
 * @throws Error if Vega-Lite cannot make sense of the specification.
 */
export async function renderSvg(figure: Figure): Promise<string> {
  const { vega, warnings } = compileSpec(figure.spec);
  if (warnings.length > 0) throw new Error(`figure ${figure.name}: ${warnings.join("; ")}`);
  // Interpreted expressions: a page whose content security policy forbids eval draws reports too.
  const program = parse(vega, undefined, { ast: true });
  const view = new View(program, { renderer: "none", expr: expressionInterpreter });
  try {
    resetSVGDefIds();
    const drawn = await view.toSVG();
    const named = drawn.replace(/(\bid="|url\(#|href="#)/g, `$1${figure.name}-`);
    const label = `role="img" aria-label="${escapeText(figure.alt)}"`;
    return named.replace("<svg ", `<svg ${label} `);
  } finally {
    view.finalize();
  }
}
