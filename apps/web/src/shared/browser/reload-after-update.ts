import { ConnectionError } from '@heliograph/client';

const STORAGE_KEY = 'heliograph_reloaded_at';

/** The shortest time between two reloads, in milliseconds: another reload sooner is no help. */
const MIN_RELOAD_INTERVAL_MS = 60_000;

/** How long the health check waits for the server, in milliseconds. */
const HEALTH_TIMEOUT_MS = 10_000;

/**
 * A chunk or a file of texts that could not be loaded; `cause` has the reason. Browsers and React request each once, so
 * that only a reload of the page requests it again.
 */
export class ChunkMissing extends Error {
  override readonly name = 'ChunkMissing';

  constructor(cause: unknown) {
    super('A part of the pages could not be loaded', { cause });
  }
}

/**
 * Reloads the page after a chunk failed to load: an update of the server removes the files that an open page knows by
 * name, and a fresh page knows the new names.
 *
 * @param error why the chunk could not be loaded
 * @throws ChunkMissing when the server does not answer, or the page was reloaded less than a minute ago
 */
export async function reloadAfterUpdate(error: unknown): Promise<never> {
  if (!(await isServerReachable()))
    throw new ChunkMissing(new ConnectionError(location.origin, 'no answer', error));
  const last = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
  if (Date.now() - last < MIN_RELOAD_INTERVAL_MS) throw new ChunkMissing(error);
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  location.reload();
  // The page unloads before this settles.
  return await new Promise<never>(() => undefined);
}

/** Without a server a reload would leave an error page of the browser. */
export async function reloadIfReachable(): Promise<void> {
  if (await isServerReachable()) location.reload();
}

async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) }))
      .ok;
  } catch {
    return false;
  }
}
