/**
 * The options of a bench. One that it does not know or cannot use, or --help, prints the comment at the head of its file, where they
 * are listed.
 */
import { existsSync, readFileSync } from "node:fs";
import { parseArgs as parse } from "node:util";

/** The comment at the head of the program that runs, without its stars. */
function headOf(program) {
  const [, head = ""] = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(readFileSync(program, "utf8")) ?? [];
  return head.replace(/^ \* ?/gm, "");
}

/** Ends with what is wrong. */
function refuse(text) {
  console.error(`${text}\n\n${headOf(process.argv[1])}`);
  process.exit(2);
}

const isNumbers = (text) =>
  text.split(",").every((one) => one.trim() !== "" && !Number.isNaN(Number(one)));

/** Seeds are names, even where the default is a number. */
const checkNumbers = (name, { default: usual, type }, given) => {
  if (type !== "string" || name === "seed" || usual === undefined || !isNumbers(usual)) return;
  if (!isNumbers(given)) refuse(`--${name}: expected numbers, as ${usual}, got ${given}`);
};

/** As `parseArgs` of node:util, of which no stranger should see a stack. */
export function parseArgs({ options, ...rest }) {
  const known = { ...options, help: { type: "boolean", short: "h" } };
  let read;
  try {
    read = parse({ options: known, ...rest });
  } catch (error) {
    refuse(error.message);
  }
  const { help, ...values } = read.values;
  if (help) {
    console.log(headOf(process.argv[1]));
    process.exit(0);
  }
  for (const [name, given] of Object.entries(values)) checkNumbers(name, options[name], given);
  const folders = values["data-folder"]?.split(",") ?? [];
  const absent = folders.find((folder) => !existsSync(folder));
  if (absent !== undefined && values["data-folder"] !== options["data-folder"].default) {
    refuse(`--data-folder: there is no ${absent}`);
  }
  return { ...read, values };
}

/** Data that must be there, also where none are named: a file, or folders separated by commas. */
export function present(flag, paths) {
  const absent = paths.split(",").find((path) => !existsSync(path));
  if (absent !== undefined) {
    refuse(
      `--${flag}: there is no ${absent}. Real data do not come with the project: docs/REPRODUCTION.md says where those of the papers are ` +
        "from (The data), npm run bench:r-tables writes tables of R packages.",
    );
  }
  return paths;
}

/** What is asked for, which must be among what there is. */
export function among(flag, asked, there) {
  const odd = asked.find((name) => !there.includes(name));
  if (odd !== undefined) refuse(`--${flag}: expected among ${there.join(", ")}, got ${odd}`);
  return asked;
}
