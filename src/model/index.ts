export { modelCard, MODEL_FORMAT, type ModelCard } from "./card.js";
export { loadModel, saveModel } from "./save.js";
