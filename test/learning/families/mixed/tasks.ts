/** Tasks drawn from a mixed model, the same on every run. */

/** Normal numbers. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** m tasks of n rows to train and to test; given fixed effects, the last the intercept's; noise of variance .16. */
export function mixedTasks(seed: number, m: number, n: number, effects: readonly number[]) {
  const draw = generator(seed);
  const d = effects.length;
  const offsets = Uint32Array.from({ length: m + 1 }, (_, i) => i * n);
  const x = new Float64Array(m * n * d);
  const y = new Float64Array(m * n);
  const test = { x: new Float64Array(m * n * d), y: new Float64Array(m * n) };
  for (let i = 0; i < m; i++) {
    const w = effects.map((a, c) => a + (c === d - 1 ? 0.6 : 0.2) * draw());
    for (const part of [{ x, y }, test]) {
      for (let row = i * n; row < (i + 1) * n; row++) {
        let sum = 0.4 * draw();
        for (let c = 0; c < d; c++) {
          const value = c === d - 1 ? 1 : draw();
          part.x[row * d + c] = value;
          sum += value * w[c]!;
        }
        part.y[row] = sum;
      }
    }
  }
  return { rows: { x, y, offsets }, test, d, sizes: { m, d, meanRows: n } };
}
