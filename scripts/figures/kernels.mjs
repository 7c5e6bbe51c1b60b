/** How long kernels take against OpenBLAS, by the order of their matrices: from the table of docs/PERFORMANCE-KERNELS.md. */
import { chartOf } from "./drawing.mjs";
import { tableWith } from "./tables.mjs";

const KERNELS = ["eigh", "svd", "gemm", "syrk", "cholesky", "wishart"];

/** Ratios of a kernel: order (the least side of its matrices), and the ratio or the ends of its range. */
export function ratiosIn(performance, kernel) {
  const { column, rows } = tableWith(performance, ["size", "ratio, SIMD"]);
  const [size, ratio] = [column("size"), column("ratio, SIMD")];
  const found = [];
  for (const cells of rows) {
    if (cells[1] !== kernel || cells[ratio] === "") continue;
    const ends = cells[ratio].split(" to ").map(Number);
    const [low, high] = [ends[0], ends.at(-1)];
    const order = Math.min(...cells[size].split(" x ").map(Number));
    found.push({ order, low, high });
  }
  return found;
}

const about = {
  name: "kernels",
  title: "Kernels against OpenBLAS, by the order of their matrices",
  description:
    "Lines are kernels: across, the least side of their matrices from 30 to 1000, up, our time over OpenBLAS's. Products (gemm, syrk) " +
    "take 1.2 to 2.4 times as long, more for larger ones. Decompositions take less time up to order 100, 0.6 to 1.1 of it at 300, and eigen and " +
    "singular value decompositions 1.5 to 1.9 times as long at 1000. Wishart draws take 0.2 to 0.6 of the time.",
};

/**
 * @param performance the text of docs/PERFORMANCE-KERNELS.md.
 * @param charts the modules src/report and src/charts of a build, or of the sources.
 */
export function kernels(performance, report, charts) {
  const { lookOf } = charts;
  const chart = {
    x: {
      title: "least side of the matrices (logarithmic)",
      scale: "log",
      range: [25, 1200],
      ticks: [30, 100, 300, 1000],
    },
    y: {
      title: "our time over OpenBLAS's (logarithmic); below 1 ours is faster",
      scale: "log",
      range: [0.12, 3],
      ticks: [0.125, 0.25, 0.5, 1, 2],
    },
    series: KERNELS.map((name, k) => ({
      ...lookOf(k),
      name,
      points: ratiosIn(performance, name).map(({ order, low, high }) => ({
        x: order,
        y: Math.sqrt(low * high),
        ...(low < high ? { low, high } : {}),
      })),
    })),
    height: 300,
  };
  return chartOf(chart, about, report, charts);
}
