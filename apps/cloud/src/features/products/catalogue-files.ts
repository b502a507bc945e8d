import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../common/errors.ts';
import { type Catalogue, InvalidCatalogue } from './catalogue.ts';

export type CatalogueJob = { readonly text: string } | { readonly catalogue: Catalogue };

export type CatalogueResult =
  | { readonly text: string }
  | { readonly catalogue: Catalogue }
  | { readonly problems: readonly string[] };

/** Time for one file, in milliseconds: a request is answered after 12 s, waiting included. */
const DEADLINE_MS = 10_000;

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
  readonly #deadlineMs: number;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(deadlineMs = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs;
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
    const result = this.#turn.then(() => inThread(job, this.#deadlineMs));
    this.#turn = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
    }
  }
}

async function inThread(job: CatalogueJob, deadlineMs: number): Promise<CatalogueResult> {
  const worker = new Worker(WORKER, { workerData: job, resourceLimits: MEMORY });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<CatalogueResult>((resolve, reject) => {
      timer = setTimeout(() => reject(new InvalidCatalogue(['The file takes too long to read'])), deadlineMs);
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new InvalidCatalogue(['The file takes too much memory to read'])
            : error,
        ),
      );
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
