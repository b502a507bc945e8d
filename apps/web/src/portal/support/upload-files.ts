import { ApiError, type CloudClient } from '@heliograph/client';
import { fileNameOf } from './file-name.ts';

/** A file that the cloud has, and no message yet. */
export interface UploadedFile {
  readonly id: number;
  readonly name: string;
}

export interface RefusedFile {
  readonly name: string;
  /** `tooLargeThere`: a server before the service limits the size of requests. */
  readonly reason: 'tooLarge' | 'emptyFile' | 'refused' | 'tooLargeThere' | 'tooMany';
}

/** In place of the browser's own type: the portal refuses those of forms, such as `text/plain`. The cloud reads the content. */
const BYTES = 'application/octet-stream';

interface UploadOutcome {
  readonly uploaded: readonly UploadedFile[];
  readonly refused: readonly RefusedFile[];
  /** The end of it before the last file, such as a lost network; undefined when each file has its answer. */
  readonly failure: unknown;
}

/**
 * Sends files one after the other. It never throws: the cloud keeps what it took before a failure.
 *
 * @param capacity the number of files that the message still takes, without those of this call
 */
export async function uploadFiles(
  files: readonly File[],
  capacity: () => number,
  cloud: Pick<CloudClient, 'createUpload'>,
): Promise<UploadOutcome> {
  const uploaded: UploadedFile[] = [];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    const { name } = file;
    if (uploaded.length >= capacity()) {
      refused.push({ name, reason: 'tooMany' });
      continue;
    }
    try {
      uploaded.push(
        await cloud.createUpload({ file: file.slice(0, file.size, BYTES), name: fileNameOf(name) }),
      );
    } catch (error) {
      const status = error instanceof ApiError ? error.status : undefined;
      if (status === 422) refused.push({ name, reason: 'refused' });
      else if (status === 413) refused.push({ name, reason: 'tooLargeThere' });
      else return { uploaded, refused, failure: error };
    }
  }
  return { uploaded, refused, failure: undefined };
}
