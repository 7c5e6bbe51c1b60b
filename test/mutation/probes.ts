/**
 * Which tests run which parts of a source file: marks in its blocks, which a test that comes by sets off.
 * @module
 */
import ts from "typescript";

/** A part that is run as a whole or not at all: a block, or an arrow's expression. */
interface Part {
  /** Where it begins with what decides over it, a function with its parameters; its name, too. */
  readonly from: number;
  readonly to: number;
  /** Where the mark goes, and where it is closed, if it has to be. */
  readonly at: number;
  readonly closed?: number;
}

function partsOf(text: string): Part[] {
  const source = ts.createSourceFile("a.ts", text, ts.ScriptTarget.ES2022, true);
  const parts: Part[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) {
      const whole = ts.isFunctionLike(node.parent) ? node.parent : node;
      parts.push({ from: whole.getStart(source), to: whole.end, at: node.getStart(source) + 1 });
    } else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
      const [at, closed] = [node.body.getStart(source), node.body.end];
      parts.push({ from: node.getStart(source), to: node.end, at, closed });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return parts;
}

/** The text with a mark in every part, which calls `globalThis.reached` with file and part. */
export function marked(file: string, text: string): string {
  const mark = (from: number) => `globalThis.reached?.(${JSON.stringify(`${file}:${from}`)})`;
  const inserted = partsOf(text).flatMap(
    ({ from, at, closed }) =>
    closed === undefined
      ? [{ at, what: `${mark(from)};` }]
      : [{ at, what: `(${mark(from)}, ` }, { at: closed, what: ")" }], // prettier-ignore
  );
  // From the end, so that positions stay; of one position, what was found last lies innermost.
  const order = inserted.map((one, i) => ({ ...one, i })).sort((a, b) => b.at - a.at || b.i - a.i);
  const all = order.reduce((now, { at, what }) => now.slice(0, at) + what + now.slice(at), text);
  return `${all}\n;${mark(0)};\n`;
}

/** The name of the innermost part around a position; that of the file for what runs when it is loaded. */
export function partAt(file: string, text: string, start: number): string {
  const around = partsOf(text).filter(({ from, to }) => from <= start && start < to);
  const inner = around.reduce((best, { from }) => Math.max(best, from), 0);
  return `${file}:${inner}`;
}
