/**
 * What a figure is: a drawing, the numbers in it, words for those who cannot see it, and how to
 * make it again.
 * @module
 */
import type { Drawing } from "../charts/index.js";

/** A cell of a figure's table; null where there is no number. */
export type FigureCell = string | number | null;

/** The numbers of a figure: of curves in full precision, of maps in five digits. */
export interface FigureTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly FigureCell[])[];
}

/** What the caller says about a figure. */
export interface FigureText {
  /** File name without ending, and anchor in a report: letters, digits, hyphens. */
  readonly name: string;
  readonly title: string;
  /** What is shown and how it was got. */
  readonly caption: string;
  /** For those who cannot see it: what is on the axes and what it says. */
  readonly alt: string;
  /** The command that makes it again. */
  readonly command: string;
}

/** A part of a figure; the parts stand side by side where there is room. */
export interface Panel {
  /** Title of the panel, for its alternative text; left out where the figure has one panel. */
  readonly title?: string;
  /** Width in pixels on a wide screen. */
  readonly width: number;
  readonly draw: (width: number) => Drawing;
}

/** A figure ready to be drawn. */
export interface Figure extends FigureText {
  readonly panels: readonly Panel[];
  readonly table: FigureTable;
}
