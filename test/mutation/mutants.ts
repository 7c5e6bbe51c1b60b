/**
 * Faults of a source file as places where other text stands: small ones, where one operator, number, condition, branch or
 * statement is another, and those of a list.
 * @module
 */
import { readFileSync } from "node:fs";
import ts from "typescript";
import type { Fault } from "./faults/fault.js";

/** One fault: text between two positions is replaced. */
export interface Mutant {
  /** Path from the project's folder. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
}

const { SyntaxKind } = ts;

const OPERATORS = new Map<ts.SyntaxKind, readonly string[]>([
  [SyntaxKind.PlusToken, ["-"]],
  [SyntaxKind.MinusToken, ["+"]],
  [SyntaxKind.AsteriskToken, ["/"]],
  [SyntaxKind.SlashToken, ["*"]],
  [SyntaxKind.PercentToken, ["*"]],
  [SyntaxKind.AsteriskAsteriskToken, ["*"]],
  [SyntaxKind.LessThanToken, ["<=", ">="]],
  [SyntaxKind.LessThanEqualsToken, ["<", ">"]],
  [SyntaxKind.GreaterThanToken, [">=", "<="]],
  [SyntaxKind.GreaterThanEqualsToken, [">", "<"]],
  [SyntaxKind.EqualsEqualsEqualsToken, ["!=="]],
  [SyntaxKind.ExclamationEqualsEqualsToken, ["==="]],
  [SyntaxKind.AmpersandAmpersandToken, ["||"]],
  [SyntaxKind.BarBarToken, ["&&"]],
  [SyntaxKind.PlusEqualsToken, ["-="]],
  [SyntaxKind.MinusEqualsToken, ["+="]],
  [SyntaxKind.AsteriskEqualsToken, ["/="]],
  [SyntaxKind.SlashEqualsToken, ["*="]],
]);

/** Calls that have an opposite. */
const OPPOSITES = new Map([
  ["min", "max"],
  ["max", "min"],
  ["ceil", "floor"],
  ["floor", "ceil"],
  ["every", "some"],
  ["some", "every"],
  ["roundUp", "roundDown"],
]);

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

/** What stands instead of a node or a part of it; nothing where it has no fault of these kinds. */
function* faultsOf(node: ts.Node, source: ts.SourceFile): Generator<[ts.Node, string]> {
  const text = (part: ts.Node) => part.getText(source);
  if (ts.isBinaryExpression(node) && !isText(node)) {
    for (const operator of OPERATORS.get(node.operatorToken.kind) ?? [])
      yield [node.operatorToken, operator];
    if (node.operatorToken.kind === SyntaxKind.QuestionQuestionToken) {
      yield [node, `(${text(node.right)})`];
      yield [node, `(${text(node.left)})`];
    }
  } else if (ts.isPrefixUnaryExpression(node)) {
    const { operator, operand } = node;
    if (operator === SyntaxKind.ExclamationToken) yield [node, `(${text(operand)})`];
    if (operator === SyntaxKind.MinusToken) yield [node, `(${text(operand)})`];
  } else if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    const whole = Number.isInteger(value) && value < 1e6;
    yield [node, whole ? String(value + 1) : `(2 * ${text(node)})`];
  } else if (node.kind === SyntaxKind.TrueKeyword) yield [node, "false"];
  else if (node.kind === SyntaxKind.FalseKeyword) yield [node, "true"];
  else if (ts.isConditionalExpression(node)) {
    yield [node, `(${text(node.whenTrue)})`];
    yield [node, `(${text(node.whenFalse)})`];
  } else if (ts.isIfStatement(node)) {
    yield [node.expression, "true"];
    yield [node.expression, "false"];
  } else if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) yield [node, ";"];
  else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    const opposite = OPPOSITES.get(name.text);
    if (opposite) yield [name, opposite];
    if (name.text === "sort" || name.text === "toSorted" || name.text === "reverse")
      yield [node, text(expression)];
  } else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const opposite = OPPOSITES.get(node.expression.text);
    if (opposite && source.text.includes(opposite)) yield [node.expression, opposite];
  }
}

/** Types, imports and the words of errors are no behaviour. */
const isPassive = (node: ts.Node) =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

/** Every fault of a file, in order of place. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found: Mutant[] = [];
  const visit = (node: ts.Node, inThrow: boolean): void => {
    if (isPassive(node)) return;
    if (!inThrow)
      for (const [part, replacement] of faultsOf(node, source)) {
        const [start, end] = [part.getStart(source), part.getEnd()];
        const line = source.getLineAndCharacterOfPosition(start).line + 1;
        found.push({ file, line, start, end, original: text.slice(start, end), replacement });
      }
    ts.forEachChild(node, (child) => {
      visit(child, inThrow || ts.isThrowStatement(node));
    });
  };
  visit(source, false);
  return found;
}

const texts = new Map<string, string>();

/** The text of a source file, read once. */
export function textOf(file: string): string {
  if (!texts.has(file)) texts.set(file, readFileSync(file, "utf8"));
  return texts.get(file)!;
}

/** A fault of the list. @throws RangeError if what is written does not occur once. */
export function planted({ file, from, to }: Fault): Mutant {
  const text = textOf(file);
  const start = text.indexOf(from);
  if (start < 0 || text.includes(from, start + 1)) {
    throw new RangeError(`${file}: expected once ${JSON.stringify(from)}`);
  }
  const line = text.slice(0, start).split("\n").length;
  return { file, line, start, end: start + from.length, original: from, replacement: to };
}

/** What tells one fault from the others, wherever in its file it stands. */
export const mutantText = ({ file, start, end, replacement }: Mutant) =>
  [file, start, end, replacement].join(" ");

/** The text with the fault in it. */
export const mutated = (text: string, { start, end, replacement }: Mutant) =>
  text.slice(0, start) + replacement + text.slice(end);

/** `file:line  original -> replacement`, on one line. */
export const describeMutant = ({ file, line, original, replacement }: Mutant) =>
  `${file}:${line}  ${original} -> ${replacement}`.replaceAll(/\s+/g, " ").slice(0, 160);
