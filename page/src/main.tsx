/**
 * Starts the page: shows it, loads the table that was kept or a simulated one, and fits it once, so that there
 * is something to look at.
 * @module
 */
import { render } from "preact";
import { CHART_STYLE } from "../../src/charts/index.js";
import { keepForOffline } from "./offline.js";
import { chooseFirst } from "./state/choose-data.js";
import { App } from "./views/app.js";

// The library's own rules for charts; the page's policy allows no style element.
const chartStyle = new CSSStyleSheet();
chartStyle.replaceSync(CHART_STYLE);
document.adoptedStyleSheets = [chartStyle];

render(<App />, document.getElementById("page")!);
void chooseFirst();
keepForOffline();
