/**
 * What every host runs: small seeded fits that between them use all the mechanisms and local steps,
 * and a digest of each model's bits.
 */
import * as library from "mp-mtl";

const random = { mode: "seeded", seed: "hosts" };
const budget = { epsilon: 1, delta: 1e-4, random };

/** The methods, by what they try: mechanism, accountant, loss. */
const fits = {
  "mp-low-rank, exact Gaussian": ["MpLowRank", { ...budget, clip: 2, lambda: 0.1, rounds: 8 }],
  "mp-low-rank, two-sided Wishart": [
    "MpLowRank",
    { ...budget, delta: 0, clip: 2, lambda: 0.1, rounds: 4 },
  ],
  "mp-group-sparse, Laplace": [
    "MpGroupSparse",
    { ...budget, delta: 0, clip: 2, lambda: 0.1, rounds: 8 },
  ],
  "mp-feature-learning": ["MpFeatureLearning", budget],
  "mp-hierarchical": ["MpHierarchical", budget],
  "pmtl, Poisson sampling": [
    "Pmtl",
    {
      ...budget,
      rounds: 6,
      clip: 1,
      adjacency: "zero-out",
      sampling: { kind: "poisson", rate: 0.3 },
    },
  ],
  "mp-low-rank, logistic": [
    "MpLowRank",
    { ...budget, loss: "logistic", clip: 2, lambda: 0.1, rounds: 8 },
  ],
  "mp-feature-learning, logistic": ["MpFeatureLearning", { ...budget, loss: "logistic" }],
  "private-fedavg, softmax": ["PrivateFedAvg", { ...budget, loss: "softmax", rounds: 5, clip: 1 }],
};

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Labels of two classes, the same tasks otherwise. */
function classes(tasks) {
  return library.TaskSet.from(
    [...tasks].map(({ name, x, y, n }) => ({
      name,
      x: Array.from({ length: n }, (_, i) => x.slice(i * tasks.d, (i + 1) * tasks.d)),
      y: Array.from(y, (value) => (value > 0 ? "yes" : "no")),
    })),
  );
}

/**
 * @param {"simd" | "scalar" | "relaxed" | undefined} build of the kernels; the host's default if not given.
 * @returns the build in use, and the digest of each model and guarantee by the fit's name.
 */
export async function run(build) {
  if (build) library.initialize({ build });
  const { train } = library.simulate({ pattern: "low-rank", tasks: 12, features: 6, seed: 5 });
  const digests = { data: await digest(train.x) };
  for (const [name, [method, options]] of Object.entries(fits)) {
    const tasks = options.loss ? classes(train) : train;
    const model = await new library[method](options).fit(tasks);
    digests[name] = await digest(library.saveModel(model));
  }
  return { build: library.kernelBuild(), digests };
}
