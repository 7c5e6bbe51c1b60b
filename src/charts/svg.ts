/**
 * SVG as text.
 * @module
 */
import { escapeText } from "./escape-text.js";

/** An attribute that is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** A tenth of a pixel is finer than a screen, and keeps files small. */
const place = (value: number) => String(Math.round(value * 10) / 10);

/** An element; numbers are rounded to a tenth, texts escaped. `content` is markup. */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [` ${key}="${typeof value === "number" ? place(value) : escapeText(value)}"`],
  );
  return content.length === 0
    ? `<${name}${written.join("")}/>`
    : `<${name}${written.join("")}>${content.join("")}</${name}>`;
}

/** A text element. */
export const label = (text: string, attributes: Attributes) =>
  element("text", attributes, escapeText(text));

/** A straight line. */
export const line = (
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  className?: string,
) => element("line", { class: className, x1, y1, x2, y2 });

/**
 * Width of a text in pixels, about: nothing here can measure a font. Wide rather than narrow, so that
 * texts do not overlap.
 */
export const textWidth = (text: string, fontSize = 12) => 0.58 * fontSize * text.length;

/** A piece of a drawing, with its own origin. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Markup. */
  readonly body: string;
}

/** A drawing as an element of a page that has the styles of `style.ts`. */
export function svg({ width, height, body }: Drawing, alt: string, className = "chart"): string {
  const size = { width, height, viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}` };
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: className,
      role: "img",
      "aria-label": alt,
      ...size,
    },
    body,
  );
}

/** A drawing as a file of its own, which carries the rules given. */
export function svgFile({ width, height, body }: Drawing, alt: string, style: string): string {
  const ground = element("rect", { class: "ground", width: "100%", height: "100%" });
  return `${svg({ width, height, body: `<style>${style}</style>\n${ground}\n${body}` }, alt)}\n`;
}
