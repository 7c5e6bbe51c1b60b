/** The script of a pool's Web Worker: the one line of the documentation. */
import { serveFitJobs } from "mp-mtl";

serveFitJobs();
