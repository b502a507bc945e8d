import { parentPort, workerData } from 'node:worker_threads';
import { InvalidCatalogue, readCatalogue, writeCatalogue } from './catalogue.ts';
import type { CatalogueJob, CatalogueResult } from './catalogue-files.ts';

/** Program of the thread that `CatalogueFiles` starts for each file. */
parentPort?.postMessage(resultOf(workerData as CatalogueJob));

function resultOf(job: CatalogueJob): CatalogueResult {
  if ('catalogue' in job) return { text: writeCatalogue(job.catalogue) };
  try {
    return { catalogue: readCatalogue(job.text) };
  } catch (error) {
    if (error instanceof InvalidCatalogue) return { problems: error.problems };
    throw error;
  }
}
