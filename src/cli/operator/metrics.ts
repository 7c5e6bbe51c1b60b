/**
 * Metrics of a party of a run in the text format of Prometheus: counts, no names of participants; in the same words whichever
 * party it is.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 * @module
 */

/** A gauge or counter. */
export type Metric = readonly [
  name: string,
  type: "gauge" | "counter",
  help: string,
  value: number,
];

/** A party that can be watched. */
export interface Watched {
  /** Whether it reaches the server: what its health is. */
  readonly link: "up" | "down";
  /** In the text format. */
  metrics(): string;
}

/** What there is to tell of every party. */
export interface CommonFigures {
  readonly link: "up" | "down";
  readonly round: number;
  /** undefined where the party does not know. */
  readonly rounds: number | undefined;
  readonly over: boolean;
  readonly refused: number;
}

/** The metrics that every party has. */
export function commonMetrics({ link, round, rounds, over, refused }: CommonFigures): Metric[] {
  return [
    ["link_up", "gauge", "Whether the server is reached.", Number(link === "up")],
    ["round", "gauge", "The round that is open, or the last.", round],
    ...(rounds === undefined ? [] : [["rounds", "gauge", "Rounds of the run.", rounds] as const]),
    ["over", "gauge", "Whether the last round was released.", Number(over)],
    ["refused_total", "counter", "Messages that were refused.", refused],
  ];
}

/** The text, a value a line. */
export function metricsText(run: string, metrics: readonly Metric[]): string {
  const label = `{run="${run.replace(/[\\"\n]/g, "_")}"}`;
  return metrics
    .map(([name, type, help, value]) => {
      const full = `mpmtl_${name}`;
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full}${label} ${value}\n`;
    })
    .join("");
}
