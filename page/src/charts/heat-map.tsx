/**
 * Models as a picture: one column per task, one row per feature.
 * @module
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { colourOf } from "../../../src/charts/index.js";
import { short } from "../text/numbers.js";
import { isDark } from "./is-dark.js";

interface HeatMapProps {
  readonly alt: string;
  /** [m, width], row-major: row i is task i's model, drawn as a column. */
  readonly values: Float32Array;
  readonly m: number;
  /** The value of the strongest colours. */
  readonly extent: number;
  readonly taskNames: readonly string[];
  readonly featureNames: readonly string[];
  /** Leave the scale out, where it stands elsewhere. */
  readonly bare?: boolean;
}

function paint(
  canvas: HTMLCanvasElement,
  { values, m, extent }: Pick<HeatMapProps, "values" | "m" | "extent">,
  inDark: boolean,
) {
  const width = values.length / m;
  canvas.width = m;
  canvas.height = width;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(m, width);
  for (let task = 0; task < m; task++) {
    for (let feature = 0; feature < width; feature++) {
      const [r, g, b] = colourOf(values[task * width + feature]! / extent, inDark);
      image.data.set([r, g, b, 255], 4 * (feature * m + task));
    }
  }
  context.putImageData(image, 0, 0);
}

/** The picture, with what is under the pointer. */
export function HeatMap(props: HeatMapProps) {
  const { alt, values, m, extent, taskNames, featureNames, bare } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const inDark = isDark.value;
  const width = values.length / m;
  useLayoutEffect(() => {
    paint(canvas.current!, props, inDark);
  }, [values, m, extent, inDark]);
  const point = (event: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const task = Math.floor(((event.clientX - box.left) / box.width) * m);
    const feature = Math.floor(((event.clientY - box.top) / box.height) * width);
    const value = values[task * width + feature];
    if (value === undefined) return;
    setPointed(
      `${taskNames[task]}, ${featureNames[feature] ?? `weight ${feature + 1}`}: ${short(value)}`,
    );
  };
  return (
    <div class="heat-map">
      <canvas
        ref={canvas}
        role="img"
        aria-label={alt}
        style={{ height: `${Math.max(60, Math.min(300, width * 10))}px` }}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      />
      {!bare && (
        <div class="scale-line">
          <ColourScale extent={extent} />
          <span class="pointed">{pointed ?? "columns: tasks; rows: features"}</span>
        </div>
      )}
    </div>
  );
}

/** What the colours mean. */
function ColourScale({ extent }: { extent: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const inDark = isDark.value;
  useLayoutEffect(() => {
    const values = Float32Array.from({ length: 64 }, (_, k) => (k / 63) * 2 - 1);
    paint(canvas.current!, { values, m: 64, extent: 1 }, inDark);
  }, [inDark]);
  return (
    <span class="colour-scale">
      {short(-extent)} <canvas ref={canvas} aria-hidden="true" /> {short(extent)}
    </span>
  );
}
