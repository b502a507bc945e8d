import { ConnectionError } from '@heliograph/client';

const STORED = 'heliograph_reloaded_at';

/** Sooner than this after the last time another load is no help, in milliseconds. */
const ONCE_IN_MS = 60_000;

/** How long the server may take to say that it is there, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * A part of the pages that could not be loaded; its `cause` says why. React asks for a part once and texts are asked for
 * once, so that only loading the page anew asks again.
 */
export class ChunkMissing extends Error {
  override readonly name = 'PartMissing';

  constructor(cause: unknown) {
    super('A part of the pages could not be loaded', { cause });
  }
}

/**
 * For a part of the pages that cannot be loaded: after an update of the server the files that an open page knows by
 * name are gone. Where the server answers, the page is loaded anew, which knows the new names.
 *
 * @param error why it could not be loaded
 * @throws PartMissing, where loading anew is of no use
 */
export async function reloadAfterUpdate(error: unknown): Promise<never> {
  if (!(await isServerReachable()))
    throw new ChunkMissing(new ConnectionError(location.origin, 'no answer', error));
  const last = Number(sessionStorage.getItem(STORED) ?? 0);
  if (Date.now() - last < ONCE_IN_MS) throw new ChunkMissing(error);
  sessionStorage.setItem(STORED, String(Date.now()));
  location.reload();
  // Whatever waits goes away with the page.
  return await new Promise<never>(() => undefined);
}

/** Loads the page anew for somebody who wants a missing part; without a server nothing would be left of the page. */
export async function reloadIfReachable(): Promise<void> {
  if (await isServerReachable()) location.reload();
}

async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })).ok;
  } catch {
    return false;
  }
}
