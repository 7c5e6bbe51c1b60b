/**
 * Figures and tables of Hu, Wu and Smith (2023), "Private multi-task learning", and our verdict on each; entries as in mp-mtl.js.
 */
const NO_DATA = "StackOverflow and CelebA do not come with the project";

export const PMTL = [
  {
    id: "pmtl-fig-1",
    shows: "PMTL against naive joint DP-SGD",
    makes: [],
    verdict: "cannot be tried here",
    why: "joint DP-SGD is not written; with it every task's own gradient step would be released",
    replicates: 0,
  },
  {
    id: "pmtl-figs-2-to-8",
    shows: "accuracy and training loss over eps and rounds against private FedAvg and FedProx",
    makes: ["pmtl-femnist"],
    verdict: "in part",
    why: `on FEMNIST digits with softmax PMTL is above FedAvg and FedProx as they are at eps 2 and 8, not at 0.8; ${NO_DATA}`,
    replicates: 3,
    unsettled: true,
  },
  {
    id: "pmtl-table-1",
    shows: "local finetuning of one global model and of PMTL, ten rows, eps 0.1 and infinity",
    makes: ["pmtl-finetuning"],
    verdict: "contradicted",
    why: `finetuned PMTL is not ahead of a finetuned global model on FEMNIST digits; ${NO_DATA}`,
    replicates: 3,
  },
  {
    id: "pmtl-table-3",
    shows: "PMTL against learning alone at eps 0.1",
    makes: ["pmtl-alone"],
    verdict: "reproduced",
    why: `with five rounds of 200 local steps on FEMNIST digits; not with the setting of larger budgets. ${NO_DATA}`,
    replicates: 3,
  },
];
