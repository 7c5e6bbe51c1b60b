/**
 * Figures and tables of Liang et al. (2020), "Model-protected multi-task learning" (newest arXiv version), and our verdict on each.
 *
 * An entry: id, what it shows, the experiments that make it, the verdict (a key of VERDICTS), why, and the number of
 * replicates that this rests on (0: nothing is drawn).
 */
export const MP_MTL = [
  {
    id: "mp-mtl-fig-1",
    shows: "one round shows a conspicuous model to all tasks; with noise it does not",
    makes: ["leakage"],
    verdict: "reproduced",
    why: "with the papers' noise and with noise whose guarantee holds; the picture proves that the broadcast changed, not that it is private",
    replicates: 1,
    unsettled: true,
  },
  {
    id: "mp-mtl-fig-2",
    shows: "the framework, a diagram",
    makes: [],
    verdict: "nothing to measure",
    why: "`MpFramework` is it; ARCHITECTURE.md draws one round",
    replicates: 0,
    unsettled: true,
  },
  {
    id: "mp-mtl-fig-3",
    shows: "task relationships and model matrices on the simulated data, eps 0.1",
    makes: ["relationships", "relationships-tenth"],
    verdict: "older noise",
    why: "correlation with the true relationships .968 with the older noise, .941 with noise that holds, which is that of learning alone; DP-MTRL's are noise, .217",
    replicates: 1,
  },
  {
    id: "mp-mtl-fig-4",
    shows: "how the budget is spread over rounds: (a) exponent alpha, (b) ratio Q, eps 0.1",
    makes: [
      ...["budget-alpha", "budget-Q", "budget-alpha-tenth", "budget-Q-tenth"],
      "older-noise-alpha",
    ],
    verdict: "in part",
    why: "(a) acceleration helps at eps 0.1 with either text's noise; the best alpha is near 1.5 with the older, 0.4 with the newest. (b) with mu = 0.001 every Q is worse than learning alone; at eps 3 and mu = 0.0003 the optimum is just below 1",
    replicates: 100,
  },
  {
    id: "mp-mtl-fig-5",
    shows: "noise to signal over rounds and budgets",
    makes: ["noise-to-signal", "noise-to-signal-printed"],
    verdict: "reproduced",
    why: "falls over the rounds and with eps; DP-MTRL's noise at task level is 100 to 4000 times its models",
    replicates: 100,
  },
  {
    id: "mp-mtl-fig-6",
    shows: "privacy and accuracy on both simulated data sets, both algorithms and the baselines",
    makes: [
      ...["both-algorithms", "privacy-accuracy-low-rank", "privacy-accuracy-group-sparse"],
      "older-noise",
    ],
    verdict: "older noise",
    why: "Algorithm 2 rivals MTL at eps 10, and 2 rivals 3 on group-sparse data, with the older noise only. DP-MTRL is never better than learning alone and stays near 1 where the paper has above 0.16, falling with eps: contradicted",
    replicates: 100,
  },
  {
    id: "mp-mtl-fig-7",
    shows: "accuracy and the number of tasks",
    makes: ["number-of-tasks"],
    verdict: "reproduced",
    why: "more tasks, more accuracy at the same eps; below 160 tasks Algorithm 2 is slightly worse than learning alone",
    replicates: 100,
  },
  {
    id: "mp-mtl-fig-8",
    shows: "task relationships and models on real data, first 20 tasks",
    makes: ["school-relationships"],
    verdict: "in part",
    why: "School only: at eps 0.1 Algorithm 2's picture is that of learning alone (correlation 1.000; .998 with the older noise). The ageing study does not come with the project",
    replicates: 1,
  },
  {
    id: "mp-mtl-fig-9",
    shows: "privacy and accuracy on real data",
    makes: ["school", "school-baselines", "landmine", "ageing"],
    verdict: "older noise",
    why: "on School Algorithm 2 closes 41 % of the distance to the best of four non-private methods at eps 1 with the older noise, 6 % with noise that holds; DP-AGGR and DP-MTRL are worse than a constant. Landmine stands in for the ageing study",
    replicates: 3,
  },
  {
    id: "mp-mtl-fig-10",
    shows: "School at 30, 50, 70 and 90 % for training",
    makes: ["school", "school-baselines"],
    verdict: "contradicted",
    why: "a gain at 30 % only, and with the older noise only (0.702 against 0.721 alone at eps 1); from 50 % on none, with any noise. A private mean or prior gains at every fraction",
    replicates: 3,
  },
  {
    id: "mp-mtl-fig-11",
    shows: "the ageing study at 30, 50, 70 and 90 % for training",
    makes: ["ageing"],
    verdict: "cannot be tried here",
    why: "the data do not come with the project; the command runs where `ageing.csv` is in the data folder",
    replicates: 0,
  },
  {
    id: "mp-mtl-table-2",
    shows: "orders of the utility bounds, and the schedules that they recommend",
    makes: ["utility-bounds"],
    verdict: "reproduced",
    why: "the recommended schedules are the optima of bounds proven here, by search; the bounds themselves are far above what is measured",
    replicates: 1,
  },
];
