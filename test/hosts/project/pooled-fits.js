/** Four fits and a cross-validation on two Web Workers, and the same in this thread. */
import { crossValidate, loadModel, MpLowRank, openWebFitPool, simulate, taskArrays } from "mp-mtl";

export async function pooledFits() {
  const { train } = simulate({ pattern: "low-rank", tasks: 12, features: 6, seed: 5 });
  const options = (seed) => ({
    epsilon: 1,
    delta: 1e-4,
    clip: 2,
    lambda: 0.1,
    rounds: 5,
    random: { mode: "seeded", seed },
  });
  const open = () => new Worker(new URL("./pool-worker.js", import.meta.url), { type: "module" });
  const pool = openWebFitPool(open, 2);
  const seeds = [1, 2, 3, 4];
  const jobs = seeds.map((seed) => {
    return pool.run({ method: "mp-low-rank", options: options(seed), train: taskArrays(train) });
  });
  const pooled = (await Promise.all(jobs)).map(({ model }) => [...loadModel(model).weights]);
  const candidates = [{ lambda: 0.1 }, { lambda: 1 }];
  const how = { method: "mp-low-rank", options: options(1), candidates, folds: 3, seed: 1 };
  const choice = JSON.stringify(await crossValidate(train, { ...how, pool }));
  pool.close();
  const sameChoice = choice === JSON.stringify(await crossValidate(train, how));
  const here = [];
  for (const seed of seeds) here.push([...(await new MpLowRank(options(seed)).fit(train)).weights]);
  return { same: JSON.stringify(pooled) === JSON.stringify(here), sameChoice, fits: here.length };
}
