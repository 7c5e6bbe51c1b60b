/**
 * Plugin: says of every constant at the top of our modules that computing it has no side effects. "sideEffects":
 * false of package.json says so of whole files; in a chunk of many modules a user's bundler needs it said of each
 * constant, or it keeps all of them with whatever they call.
 */
import { readFile } from "node:fs/promises";
import ts from "typescript";

/** Whether bundlers see by themselves that an expression does nothing. */
function evident(node) {
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(evident);
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every(
      (property) =>
        ts.isShorthandPropertyAssignment(property) ||
        ts.isMethodDeclaration(property) ||
        (ts.isPropertyAssignment(property) && evident(property.initializer)),
    );
  }
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return evident(node.expression);
  return (
    ts.isLiteralExpression(node) ||
    ts.isIdentifier(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword
  );
}

/** The module's text with every other initialiser in a function that is marked as pure. */
function mark(text, path) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  const initialisers = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .map(({ initializer }) => initializer)
    .filter((node) => node && !evident(node));
  return initialisers.reduceRight(
    (done, node) =>
      `${done.slice(0, node.getStart(source))}/* @__PURE__ */ (() => (${node.getText(source)}))()${done.slice(node.end)}`,
    text,
  );
}

/**
 * @param folder where our modules lie.
 * @param prepare (text, path) -> text: what else is to be done to a module.
 */
export const pureInitialisers = (folder, prepare = (text) => text) => ({
  name: "pure-initialisers",
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) =>
      path.startsWith(folder)
        ? { contents: mark(prepare(await readFile(path, "utf8"), path), path), loader: "ts" }
        : undefined,
    );
  },
});
