import { parentPort } from 'node:worker_threads';
import { InvalidCatalogue, readCatalogue, writeCatalogue } from './catalogue.ts';
import type { CatalogueJob, CatalogueResult } from './catalogue-files.ts';

/** Program of the thread in which `CatalogueFiles` reads and writes one file after the other. */
parentPort?.on('message', (job: CatalogueJob) => parentPort?.postMessage(resultOf(job)));

function resultOf(job: CatalogueJob): CatalogueResult {
  if ('catalogue' in job) return { text: writeCatalogue(job.catalogue) };
  try {
    return { catalogue: readCatalogue(job.text) };
  } catch (error) {
    if (error instanceof InvalidCatalogue) return { problems: error.problems };
    throw error;
  }
}
