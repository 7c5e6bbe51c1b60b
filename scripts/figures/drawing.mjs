/**
 * Drawings of boxes, arrows and words as SVG text: readable on light and on dark ground, with a title and a
 * description for those who cannot see them. A text that would not fit its box is refused.
 */

/** Colours on light and on dark ground; test/docs/figures.test.ts holds their contrast. */
export const PALETTE = {
  ground: ["#ffffff", "#16191c"],
  ink: ["#1c1f22", "#e7e9ea"],
  quiet: ["#565d64", "#a9b1b7"],
  edge: ["#80868b", "#7f888f"],
  participant: ["#e3f0f9", "#12344d"],
  curator: ["#fdebdd", "#4a2a10"],
  noise: ["#e0f3ec", "#113d30"],
  plain: ["#f2f3f2", "#24292d"],
};

/** Kinds of boxes: each its fill, and an edge that tells it apart without colour. */
export const KINDS = ["participant", "curator", "noise", "plain"];
const DASHES = { participant: "", curator: "7 3", noise: "2 2", plain: "" };

const rules = (which) =>
  Object.entries(PALETTE)
    .map(([name, pair]) => `--${name}:${pair[which]}`)
    .join(";");

const STYLE = [
  `svg{${rules(0)}}`,
  `@media (prefers-color-scheme:dark){svg{${rules(1)}}}`,
  'text{font:14px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:var(--ink)}',
  "text.head{font-weight:600}",
  "text.quiet{fill:var(--quiet);font-size:13px}",
  ".ground{fill:var(--ground)}",
  ".edge{stroke:var(--edge);fill:none;stroke-width:1.5}",
  ".tip{fill:var(--edge);stroke:none}",
  ...KINDS.map(
    (kind) =>
      `.${kind}{fill:var(--${kind});stroke:var(--edge)${DASHES[kind] && `;stroke-dasharray:${DASHES[kind]}`}}`,
  ),
].join("\n");

const SIZES = { head: 14, quiet: 13, "": 14 };
const LINE = 18;
const PADDING = 10;

/** Width of a text in pixels, about, and wide rather than narrow: nothing here can measure a font. */
export const textWidth = (text, role = "") => 0.56 * SIZES[role] * text.length;

const escaped = (text) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign],
  );

/** A line of text at its base line. */
export function text(words, x, y, { role = "", anchor = "start" } = {}) {
  const attributes = `${role && ` class="${role}"`}${anchor === "start" ? "" : ` text-anchor="${anchor}"`}`;
  return `<text x="${x}" y="${y}"${attributes}>${escaped(words)}</text>`;
}

/** Lines of words that fit a width. */
function wrapped(words, width, role) {
  const lines = [];
  for (const word of words.split(" ")) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && textWidth(longer, role) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A box with a heading and words that are broken into lines. @throws RangeError if they do not fit. */
export function box({ x, y, width, height, kind = "plain", head, words = "", middle = false }) {
  const inner = width - 2 * PADDING;
  const lines = [
    ...(head ? wrapped(head, inner, "head").map((line) => [line, "head"]) : []),
    ...(words ? wrapped(words, inner, "quiet").map((line) => [line, "quiet"]) : []),
  ];
  const tall = lines.length * LINE + 2 * PADDING - 4;
  const wide = Math.max(0, ...lines.map(([line, role]) => textWidth(line, role)));
  if (tall > height || wide > inner) {
    throw new RangeError(
      `box "${head ?? words}": expected its words to fit ${width} x ${height}, they take ${Math.ceil(wide + 2 * PADDING)} x ${tall}`,
    );
  }
  const top = y + (middle ? (height - lines.length * LINE) / 2 : PADDING - 2);
  return [
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`,
    ...lines.map(([line, role], k) => text(line, x + PADDING, top + 14 + k * LINE, { role })),
  ].join("\n");
}

/** An arrow through points, of horizontal and vertical pieces. */
export function arrow(...points) {
  const [[fromX, fromY], [x, y]] = points.slice(-2);
  const [dx, dy] = [Math.sign(x - fromX), Math.sign(y - fromY)];
  const back = [x - 8 * dx, y - 8 * dy];
  const tip = [
    [x, y],
    [back[0] - 5 * dy, back[1] - 5 * dx],
    [back[0] + 5 * dy, back[1] + 5 * dx],
  ];
  const path = [...points.slice(0, -1), back].map((point) => point.join(" ")).join(" L");
  return `<path class="edge" d="M${path}"/><path class="tip" d="M${tip.map((point) => point.join(" ")).join(" L")} Z"/>`;
}

/** A whole drawing. */
export function drawing({ name, title, description, width, height }, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${name}-title ${name}-desc">`,
    ...words(name, title, description),
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

const words = (name, title, description) => [
  `<title id="${name}-title">${escaped(title)}</title>`,
  `<desc id="${name}-desc">${escaped(description)}</desc>`,
];

/** A drawing made elsewhere, with a title and a description. */
export function described(svg, { name, title, description }) {
  const labelled = svg
    .replace(/ (role|aria-label)="[^"]*"/g, (attribute, _, at) =>
      at < svg.indexOf(">") ? "" : attribute,
    )
    .replace("<svg", `<svg role="img" aria-labelledby="${name}-title ${name}-desc"`);
  const end = labelled.indexOf(">") + 1;
  return `${[labelled.slice(0, end), ...words(name, title, description), labelled.slice(end).trim()].join("\n")}\n`;
}

/** A picture of one chart, drawn and described with the modules src/report and src/charts of a build, or of the sources. */
export function chartOf(chart, about, { renderSvg }, { lineChart }) {
  const panel = { width: 660, draw: (width) => lineChart(chart, width) };
  return described(renderSvg({ ...about, alt: about.title, panels: [panel] }), about);
}
