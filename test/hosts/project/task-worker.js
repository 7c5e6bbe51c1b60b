/** The script of a Web Worker that holds tasks of fits: the one line of the documentation. */
import { serveTaskWorkers } from "mp-mtl";

serveTaskWorkers();
