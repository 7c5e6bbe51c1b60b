/**
 * Losses and gradients of tasks whose rows lie in Float32 beside the same in Float64 and in NumPy (Float64, one thread).
 *
 *   node bench/kernels/row-precision.js [--build simd|scalar|relaxed] [--milliseconds 500]
 *
 * The two take turns, NumPy its own. Prints best processor times of a call, ratios to Float64 and to NumPy's best time, and the
 * largest difference from Float64 rows of the rounded values, which must be 0.
 */
import { parseArgs } from "../parse-args.js";
import { initialize, kernelBuild, openCore } from "../../build/modules/core/index.js";
import { ROWS_AT_ONCE } from "../../build/modules/learning/tasks/row-precision.js";
import { placeTaskData } from "../../build/modules/learning/tasks/task-data.js";
import { numbers } from "./cases.js";
import { numpyTime } from "./timing.js";

const { values: options } = parseArgs({
  options: {
    build: { type: "string", default: "simd" },
    milliseconds: { type: "string", default: "500" },
  },
});
initialize({ build: options.build });
const milliseconds = Number(options.milliseconds);
const TURNS = 7;

const SIZES = [
  [320, 30, 30],
  [139, 33, 28],
  [1000, 60, 60],
  [1000, 50, 100],
  [1000, 50, 300],
  [100, 1000, 100],
  [20000, 5, 10],
];
const LOSSES = { squared: 0, logistic: 1, softmax: 3 };

/** Gradients of all tasks with rows in either precision, in one memory. */
function place(core, [m, n, d], loss) {
  const { arena, kernels } = core;
  const classes = loss === "softmax" ? LOSSES.softmax : 1;
  const offsets = arena.bytes(4 * (m + 1));
  arena.words(offsets, m + 1).set(Uint32Array.from({ length: m + 1 }, (_, i) => i * n));
  const rounded = Float32Array.from(numbers(m * n * d));
  const x64 = arena.copyOf(Float64Array.from(rounded));
  const x32 = arena.bytes(4 * rounded.length);
  arena.singles(x32, rounded.length).set(rounded);
  const label = (value) =>
    loss === "softmax" ? Math.floor(((value + 1) / 2) * classes) : value < 0 ? -1 : 1;
  const room = ROWS_AT_ONCE;
  const all = {
    y: arena.copyOf(numbers(m * n).map(label)),
    offsets,
    scales: arena.copyOf(new Float64Array(m).fill(1 / n)),
    m,
    d,
    loss: loss === "logistic" ? 1 : 0,
    outputs: classes,
  };
  const weights = arena.copyOf(numbers(m * d * classes));
  const losses = arena.f64(m);
  const work = arena.bytes(kernels.softmaxGradientsWorkspace(d, classes));
  const of = (data) => {
    const out = arena.f64(m * d * classes);
    const run =
      loss === "softmax"
        ? () => kernels.softmaxGradients(data, weights, out, losses, work)
        : () => kernels.taskGradients(data, weights, 0, out, 0, 0);
    return { run, values: () => arena.view(out, m * d * classes) };
  };
  return [
    of(placeTaskData(core, { ...all, x: x64 })),
    of(placeTaskData(core, { ...all, x: x32, wide: arena.f64(room * d), room })),
  ];
}

/** Processor milliseconds of a call, over about so many milliseconds of them. */
function processorTime(run, calls) {
  const start = process.cpuUsage();
  for (let k = 0; k < calls; k++) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / calls;
}

const column = (text, width = 10) => String(text).padStart(width);
console.log(`Node ${process.versions.node}, ${kernelBuild()} build; processor ms a call`);
console.log(
  "loss, m x n x d".padEnd(28) +
    ["Float64", "Float32", "ratio", "NumPy", "of it", "differ"].map((s) => column(s)).join(""),
);
for (const loss of Object.keys(LOSSES)) {
  for (const size of SIZES) {
    const both = place(openCore(), size, loss);
    both.forEach(({ run }) => run());
    const once = Math.max(0.01, processorTime(both[0].run, 5));
    const calls = Math.max(3, Math.ceil(milliseconds / TURNS / once));
    const best = [Infinity, Infinity];
    for (let turn = 0; turn < TURNS; turn++) {
      both.forEach(({ run }, k) => (best[k] = Math.min(best[k], processorTime(run, calls))));
    }
    const [wide, narrow] = both.map(({ values }) => Float64Array.from(values()));
    const differ = wide.reduce((most, value, k) => Math.max(most, Math.abs(value - narrow[k])), 0);
    const shape = loss === "softmax" ? [...size, LOSSES.softmax] : size;
    const numpy = numpyTime({ kernel: `gradients ${loss}`, shape }, milliseconds)?.milliseconds;
    console.log(
      `${loss} ${size.join(" x ")}`.padEnd(28) +
        [
          best[0].toFixed(4),
          best[1].toFixed(4),
          (best[1] / best[0]).toFixed(2),
          numpy?.toFixed(4) ?? "-",
          numpy ? (best[1] / numpy).toFixed(2) : "-",
          differ,
        ]
          .map((s) => column(s))
          .join(""),
    );
  }
}
