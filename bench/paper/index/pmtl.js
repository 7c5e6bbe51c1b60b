/**
 * Figures and tables of Hu, Wu and Smith (2023), "Private multi-task learning", and our verdict on each; entries as in mp-mtl.js.
 */
const NO_DATA = "StackOverflow and CelebA do not come with the project";

export const PMTL = [
  {
    id: "pmtl-fig-1",
    shows: "PMTL against naive joint DP-SGD",
    makes: ["pmtl-systems"],
    verdict: "in part",
    why: "on School joint DP-SGD is far above the error of a constant at every eps, where PMTL is ahead of learning alone from eps 1 on; the data of the figure do not come with the project",
    replicates: 3,
  },
  {
    id: "pmtl-appendix-a-8",
    shows: "PMTL against PPSGD",
    makes: ["pmtl-systems"],
    verdict: "in part",
    why: "on School PMTL is ahead of PPSGD at every eps, more for its exact local solves than for privacy; the data of the appendix do not come with the project",
    replicates: 3,
    unsettled: true,
  },
  {
    id: "pmtl-figs-2-to-8",
    shows: "accuracy and training loss over eps and rounds against private FedAvg and FedProx",
    makes: ["pmtl-femnist", "pmtl-lambda"],
    verdict: "in part",
    why: `on FEMNIST digits with softmax PMTL is above FedAvg and FedProx as they are at eps 2 and 8, at 0.8 with a smaller lambda only; ${NO_DATA}`,
    replicates: 3,
    unsettled: true,
  },
  {
    id: "pmtl-table-1",
    shows: "local finetuning of one global model and of PMTL, ten rows, eps 0.1 and infinity",
    makes: ["pmtl-finetuning"],
    verdict: "in part",
    why: `on FEMNIST digits PMTL as it is is ahead of the global model as it is, at eps 0.1 and without noise; finetuned alike it is behind in all four kinds, at both. ${NO_DATA}`,
    replicates: 3,
  },
  {
    id: "pmtl-table-3",
    shows: "PMTL against learning alone at eps 0.1",
    makes: ["pmtl-alone"],
    verdict: "reproduced",
    why: `ahead in all three replicates, by 0.012 ± 0.002, with five rounds of 200 local steps on FEMNIST digits. ${NO_DATA}`,
    replicates: 3,
  },
];
