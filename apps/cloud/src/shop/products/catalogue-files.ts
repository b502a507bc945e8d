import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../common/errors.ts';
import { type Catalogue, InvalidCatalogue } from './catalogue.ts';

export type CatalogueJob = { readonly text: string } | { readonly catalogue: Catalogue };

export type CatalogueResult =
  | { readonly text: string }
  | { readonly catalogue: Catalogue }
  | { readonly problems: readonly string[] };

interface Limits {
  /** Time for one file, in milliseconds. */
  readonly deadlineMs: number;
}

/** A request is answered after 12 s, waiting included. */
const LIMITS: Limits = { deadlineMs: 10_000 };

/** How long a thread without a file is kept, in milliseconds: it takes a third of a second to start. */
const IDLE_MS = 30_000;

/** Files that wait for their turn. */
const MAX_WAITING = 8;
const BUSY_RETRY_S = 5;

/** Memory of the thread, in MiB: the largest catalogue takes some 60. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** In a bundle the program has the ending `.js`, as this module has. */
const WORKER = join(import.meta.dirname, `catalogue-worker${extname(import.meta.filename)}`);

/**
 * Reads and writes files of catalogues in a thread, one at a time: parsing 1 MiB of YAML takes long enough to keep all other
 * requests waiting.
 */
export class CatalogueFiles {
  readonly #limits: Limits;
  #thread: CatalogueThread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(limits: Limits = LIMITS) {
    this.#limits = limits;
  }

  /** @throws InvalidCatalogue that names every product at fault; Unavailable */
  async read(text: string): Promise<Catalogue> {
    const result = await this.#run({ text });
    if ('catalogue' in result) return result.catalogue;
    throw new InvalidCatalogue('problems' in result ? result.problems : []);
  }

  /** @throws Unavailable */
  async write(catalogue: Catalogue): Promise<string> {
    const result = await this.#run({ catalogue });
    if ('text' in result) return result.text;
    throw new Error('The catalogue was not written');
  }

  async #run(job: CatalogueJob): Promise<CatalogueResult> {
    if (this.#waiting >= MAX_WAITING) throw new Unavailable('Too many catalogues are read', BUSY_RETRY_S);
    this.#waiting += 1;
    const result = this.#turn.then(() => this.#runInThread(job));
    this.#turn = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #runInThread(job: CatalogueJob): Promise<CatalogueResult> {
    clearTimeout(this.#idle);
    if (this.#thread === undefined || this.#thread.hasEnded) this.#thread = new CatalogueThread();
    const thread = this.#thread;
    try {
      return await thread.run(job, this.#limits.deadlineMs);
    } finally {
      this.#idle = setTimeout(() => {
        this.#thread = undefined;
        void thread.terminate();
      }, IDLE_MS).unref();
    }
  }
}

/** The program of `catalogue-worker.ts`, which takes one job after the other. */
class CatalogueThread {
  readonly #worker = new Worker(WORKER, { resourceLimits: MEMORY });
  readonly #ended = Promise.withResolvers<never>();
  hasEnded = false;

  constructor() {
    // The process ends while a thread has nothing to do.
    this.#worker.unref();
    this.#ended.promise.catch(() => undefined);
    this.#worker.once('error', (error: NodeJS.ErrnoException) =>
      this.#end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new InvalidCatalogue(['The file takes too much memory to read'])
          : error,
      ),
    );
  }

  /** @throws InvalidCatalogue for a job that takes too long or too much: the thread has ended then */
  async run(job: CatalogueJob, deadlineMs: number): Promise<CatalogueResult> {
    const { promise: result, resolve } = Promise.withResolvers<CatalogueResult>();
    this.#worker.once('message', resolve);
    this.#worker.ref();
    const timer = setTimeout(
      () => this.#end(new InvalidCatalogue(['The file takes too long to read'])),
      deadlineMs,
    );
    try {
      this.#worker.postMessage(job);
      return await Promise.race([result, this.#ended.promise]);
    } finally {
      clearTimeout(timer);
      this.#worker.off('message', resolve);
      this.#worker.unref();
      if (this.hasEnded) await this.terminate();
    }
  }

  async terminate(): Promise<void> {
    this.hasEnded = true;
    await this.#worker.terminate();
  }

  #end(reason: Error): void {
    this.hasEnded = true;
    this.#ended.reject(reason);
  }
}
