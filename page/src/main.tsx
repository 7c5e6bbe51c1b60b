/**
 * Starts the page: shows it, loads the first data set and fits it once, so that there is something
 * to look at.
 * @module
 */
import { render } from "preact";
import { chooseData } from "./state/choose-data.js";
import { App } from "./views/app.js";

render(<App />, document.getElementById("page")!);
void chooseData("low-rank");
