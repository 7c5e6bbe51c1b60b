/** Four fits on two Web Workers and the same four in this thread. */
import { loadModel, MpLowRank, openWebFitPool, simulate, taskArrays } from "mp-mtl";

export async function pooledFits() {
  const { train } = simulate({ pattern: "low-rank", tasks: 12, features: 6, seed: 5 });
  const options = (seed) => ({
    ...{ epsilon: 1, delta: 1e-4, clip: 2, lambda: 0.1, rounds: 5 },
    random: { mode: "seeded", seed },
  });
  const open = () => new Worker(new URL("./pool-worker.js", import.meta.url), { type: "module" });
  const pool = openWebFitPool(open, 2);
  const seeds = [1, 2, 3, 4];
  const jobs = seeds.map((seed) => {
    return pool.run({ method: "mp-low-rank", options: options(seed), train: taskArrays(train) });
  });
  const pooled = (await Promise.all(jobs)).map(({ model }) => [...loadModel(model).weights]);
  pool.close();
  const here = [];
  for (const seed of seeds) here.push([...(await new MpLowRank(options(seed)).fit(train)).weights]);
  return { same: JSON.stringify(pooled) === JSON.stringify(here), fits: here.length };
}
