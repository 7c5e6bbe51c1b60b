import { makeEstimator } from "../build/modules/index.js";
import { cell, readSets, setOptions } from "./accuracy/sets.js";
const options = Object.fromEntries(Object.entries(setOptions).map(([k,v])=>[k,v.default]));
for await (const { name, metric, common, drawn } of readSets({ ...options, sets: process.argv[2], replicates: process.argv[3] })) {
  for (const eps of [0.3,1,3,10]) for (const [method,o] of [["single-task",{}],["mp-feature-learning",{}],["mp-subspace",{}]]) {
    if (method==="single-task" && eps!==.3) continue;
    const l=[]; let ks="";
    for (const {seed,train,test} of drawn) { const mo=await makeEstimator(method,{...common,...o,...(method==="single-task"?{}:{random:{mode:"seeded",seed},delta:"papers",epsilon:eps})}).fit(train); l.push(metric.of(mo.score(test))); ks+=" "+(mo.components.subspace?.shape[0]??"")}
    console.log(name,eps,method,cell(l),ks);
  }
}
