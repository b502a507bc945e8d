import { ConnectionError } from '@heliograph/client';
import { tabStorage } from './browser-storage.ts';
import { ChunkBroken, ChunkMissing, isMissing } from './chunk-errors.ts';

const STORAGE_KEY = 'heliograph_reloaded_at';

/** The shortest time between two reloads, in milliseconds: another reload sooner is no help. */
const MIN_RELOAD_INTERVAL_MS = 60_000;

/** How long the health check waits for the server, in milliseconds. */
const HEALTH_TIMEOUT_MS = 10_000;

/**
 * Reloads the page after a chunk failed to load: an update of the server removes the files that an open page knows by
 * name, and a fresh page knows the new names.
 *
 * @param error why the chunk could not be loaded
 * @throws ChunkBroken when the chunk was loaded and failed to run, for which a reload is no help; ChunkMissing when the
 *   server does not answer, the page was reloaded less than a minute ago, or a reload could not be remembered
 */
export async function reloadAfterUpdate(error: unknown): Promise<never> {
  if (!isMissing(error)) throw new ChunkBroken(error);
  if (!(await isServerReachable()))
    throw new ChunkMissing(new ConnectionError(location.origin, 'no answer', error));
  const last = Number(tabStorage.get(STORAGE_KEY) ?? 0);
  if (Date.now() - last < MIN_RELOAD_INTERVAL_MS) throw new ChunkMissing(error);
  if (!tabStorage.set(STORAGE_KEY, String(Date.now()))) throw new ChunkMissing(error);
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
