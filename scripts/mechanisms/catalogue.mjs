/**
 * Which files hold which mechanism: its proof, its sampler, its tests, its audit. What it promises is not written here but
 * read from the code (`table.mjs`).
 */
const MECHANISMS = "src/privacy/mechanisms";
const EXACT = `${MECHANISMS}/exact`;
const RANDOM = "assembly/random";
const LAWS = "test/privacy/mechanisms/mechanisms.test.ts";
const EXACT_LAWS = "test/privacy/mechanisms/exact-mechanisms.test.ts";
const AUDIT = "test/learning/audit/mechanisms.test.ts";

const DISCRETE_GAUSSIAN = {
  form: "exact",
  proof: [
    `${EXACT}/discrete-gaussian.ts`,
    `${EXACT}/computed-statistic.ts`,
    "src/privacy/accounting/discrete.ts",
  ],
  sampler: [`${RANDOM}/discrete.ts`, `${RANDOM}/steps.ts`, `${RANDOM}/exponential-below.ts`],
  tests: [
    EXACT_LAWS,
    LAWS,
    "test/assembly/random-discrete.test.ts",
    "test/assembly/exponential-below.test.ts",
  ],
};
const EXACT_REALS = [`${RANDOM}/exact-reals.ts`, `${EXACT}/exact-reals.ts`];
const EXACT_REALS_TESTS = [EXACT_LAWS, "test/assembly/exact-reals.test.ts"];

/** Noise on vectors of floating-point normal draws. */
const FLOAT_GAUSSIAN = {
  form: "float",
  sampler: [`${RANDOM}/noise.ts`, `${RANDOM}/normal.ts`],
  tests: [LAWS, "test/assembly/random.test.ts"],
  audit: "--delta 0.05",
};

/** The papers' noise of d + 1 degrees of freedom. */
const PAPERS_WISHART = {
  form: "float",
  proof: [`${MECHANISMS}/wishart.ts`],
  sampler: ["assembly/wishart.ts", `${RANDOM}/gamma.ts`],
  tests: [LAWS, "test/privacy/guarantee/guarantee.test.ts"],
  audit: "",
};

/**
 * Every mechanism in every form. `options` make it (sizes are filled in), `label` is that of its statement where a file has
 * several, `audit` the options of `mp-mtl audit`.
 */
export const CATALOGUE = [
  {
    ...DISCRETE_GAUSSIAN,
    options: { name: "gaussian", statistic: "covariance" },
    audit: "--delta 0.05",
  },
  {
    ...FLOAT_GAUSSIAN,
    options: { name: "gaussian", statistic: "covariance" },
    proof: [`${MECHANISMS}/gaussian.ts`],
  },
  {
    form: "exact",
    options: { name: "two-sided-wishart", statistic: "covariance" },
    proof: [
      `${EXACT}/rounded-wishart.ts`,
      `${EXACT}/computed-statistic.ts`,
      `${MECHANISMS}/two-sided-wishart.ts`,
    ],
    sampler: [...EXACT_REALS, `${EXACT}/precise-dot.ts`, `${EXACT}/round-interval.ts`],
    tests: EXACT_REALS_TESTS,
    audit: "",
  },
  {
    form: "float",
    options: { name: "two-sided-wishart", statistic: "covariance" },
    proof: [`${MECHANISMS}/two-sided-wishart.ts`],
    sampler: ["assembly/wishart.ts"],
    tests: [LAWS, "test/assembly/wishart.test.ts"],
    audit: "",
  },
  {
    ...PAPERS_WISHART,
    options: { name: "wishart", statistic: "covariance" },
    label: "1",
    tests: [
      LAWS,
      "test/privacy/accounting/wishart-profile.test.ts",
      "test/assembly/wishart.test.ts",
    ],
  },
  {
    form: "float",
    options: { name: "wishart", statistic: "covariance", degreesOfFreedom: 20 },
    variant: "more than d + 1 degrees of freedom",
    label: "2",
    proof: [`${MECHANISMS}/wishart.ts`, "src/privacy/accounting/wishart-profile.ts"],
    sampler: ["assembly/wishart.ts"],
    tests: [
      "test/privacy/accounting/wishart-profile.test.ts",
      "test/privacy/accounting/wishart-composition.test.ts",
    ],
    audit: "--degrees-of-freedom 20 --delta 0.01",
  },
  {
    ...PAPERS_WISHART,
    options: { name: "wishart", statistic: "diagonal" },
    label: "4",
    audit: "--statistic diagonal",
  },
  {
    ...PAPERS_WISHART,
    options: { name: "wishart-older", statistic: "covariance" },
    label: "3",
  },
  {
    ...PAPERS_WISHART,
    options: { name: "wishart-older", statistic: "diagonal" },
    label: "4",
    audit: "--statistic diagonal",
  },
  {
    ...DISCRETE_GAUSSIAN,
    options: { name: "gaussian-diagonal", statistic: "diagonal" },
    audit: "--delta 0.05",
  },
  {
    ...FLOAT_GAUSSIAN,
    options: { name: "gaussian-diagonal", statistic: "diagonal" },
    proof: [`${MECHANISMS}/diagonal.ts`],
  },
  {
    form: "exact",
    options: { name: "laplace-diagonal", statistic: "diagonal" },
    proof: [
      `${EXACT}/discrete-laplace.ts`,
      `${EXACT}/computed-statistic.ts`,
      `${MECHANISMS}/diagonal.ts`,
    ],
    sampler: [`${RANDOM}/discrete-laplace.ts`],
    tests: [EXACT_LAWS, "test/assembly/discrete-laplace.test.ts"],
    audit: "",
  },
  {
    form: "float",
    options: { name: "laplace-diagonal", statistic: "diagonal" },
    proof: [`${MECHANISMS}/diagonal.ts`],
    sampler: [`${RANDOM}/noise.ts`],
    tests: [LAWS, "test/assembly/random.test.ts"],
    audit: "",
  },
  {
    form: "exact",
    options: { name: "spherical-laplace", statistic: "vector" },
    proof: [
      `${EXACT}/rounded-spherical-laplace.ts`,
      `${EXACT}/computed-statistic.ts`,
      `${MECHANISMS}/vector.ts`,
    ],
    sampler: [...EXACT_REALS, `${EXACT}/round-interval.ts`],
    tests: EXACT_REALS_TESTS,
    audit: "",
  },
  {
    form: "float",
    options: { name: "spherical-laplace", statistic: "vector" },
    label: "spherical-laplace",
    proof: [`${MECHANISMS}/vector.ts`],
    sampler: [`${RANDOM}/noise.ts`, `${RANDOM}/gamma.ts`],
    tests: [LAWS, "test/assembly/random.test.ts"],
    audit: "",
  },
  {
    ...DISCRETE_GAUSSIAN,
    options: { name: "gaussian-mean", statistic: "vector" },
    audit: "--delta 0.05",
  },
  {
    form: "exact",
    options: {
      name: "gaussian-mean",
      statistic: "vector",
      adjacency: "zero-out",
      sampling: { kind: "poisson", rate: 0.1 },
    },
    variant: "Poisson sampling",
    proof: [
      `${EXACT}/rounded-normal.ts`,
      `${EXACT}/computed-statistic.ts`,
      `${MECHANISMS}/vector.ts`,
    ],
    sampler: EXACT_REALS,
    tests: EXACT_REALS_TESTS,
    audit: "--adjacency zero-out --sampling-rate 0.1 --delta 0.05",
  },
  {
    ...FLOAT_GAUSSIAN,
    options: { name: "gaussian-mean", statistic: "vector" },
    label: "gaussian-mean",
    proof: [`${MECHANISMS}/vector.ts`],
  },
  {
    form: "float",
    options: {
      name: "gaussian-mean",
      statistic: "vector",
      adjacency: "zero-out",
      sampling: { kind: "poisson", rate: 0.1 },
    },
    variant: "Poisson sampling",
    label: "gaussian-mean",
    proof: [`${MECHANISMS}/vector.ts`],
    sampler: [`${RANDOM}/noise.ts`, `${RANDOM}/normal.ts`],
    tests: [LAWS, "test/privacy/accounting/pld/pld.test.ts"],
    audit: "--adjacency zero-out --sampling-rate 0.1 --delta 0.05",
  },
].map((entry) => ({ ...entry, auditTest: AUDIT }));

/** What is accounted and is no mechanism of its own: its statement, and what holds it. */
export const COMPOSITIONS = [
  {
    name: "noise in shares, for secure sums",
    proof: "src/federation/secure-aggregation/integers/noise.ts",
    tests: [
      "test/privacy/accounting/discrete-shares.test.ts",
      "test/federation/secure-aggregation/integers/numbers.test.ts",
    ],
  },
  {
    name: "private selection",
    proof: "src/privacy/accounting/selection.ts",
    tests: ["test/privacy/selection/selection.test.ts"],
  },
  {
    name: "the price of a discrete Gaussian",
    proof: "src/privacy/accounting/discrete.ts",
    tests: [
      "test/privacy/mechanisms/mechanisms.test.ts",
      "test/privacy/accounting/discrete-shares.test.ts",
    ],
  },
];
