/**
 * Inside a worker of a pool: what crosses between threads, and how a job is answered.
 * @module
 */
import { adoptKernels, MpMtlError, type LoadedKernels } from "../core/index.js";

/** Request and reply as they cross between threads. */
export interface Request<Job> {
  readonly id: number;
  readonly job: Job;
  /** With the first request to a worker: the kernels that its pool's thread has loaded, if it has. */
  readonly kernels?: LoadedKernels;
  /** Whether somebody wants to know how far the job is. */
  readonly told?: boolean;
}

/** Tells how far a job is, in structured-cloneable form; undefined where nobody asked. */
export type TellProgress = ((progress: unknown) => void) | undefined;

/** What a worker answers: how far it is, then the result, or what went wrong. */
export type Reply<Result> =
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly error: { code: string; message: string } };

/** Inside a worker: answers one request; an error becomes a reply, so that the worker lives on. */
export async function answer<Job, Result>(
  { id, job, kernels }: Request<Job>,
  run: (job: Job, tell: TellProgress) => Promise<Result>,
  tell?: TellProgress,
): Promise<Reply<Result>> {
  try {
    if (kernels) adoptKernels(kernels);
    return { id, result: await run(job, tell) };
  } catch (error) {
    return failed(id, error);
  }
}

function failed(id: number, error: unknown): Reply<never> {
  const code = error instanceof MpMtlError ? error.code : "ERROR";
  return { id, error: { code, message: error instanceof Error ? error.message : String(error) } };
}

/** Inside a worker: answers one request through `post`; of a result that cannot be cloned, an error says so. */
export async function respond<Job, Result>(
  request: Request<Job>,
  run: (job: Job, tell: TellProgress) => Promise<Result>,
  post: (reply: Reply<Result>) => void,
): Promise<void> {
  const { id, told = false } = request;
  const tell = told ? (progress: unknown) => post({ id, progress }) : undefined;
  const reply = await answer(request, run, tell);
  try {
    post(reply);
  } catch (error) {
    post(failed(request.id, error));
  }
}
