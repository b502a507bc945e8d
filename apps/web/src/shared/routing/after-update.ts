const STORED = 'heliograph_reloaded_at';

/** Sooner than this after the last time another load is no help, in milliseconds. */
const ONCE_IN_MS = 60_000;

/**
 * For a part of the pages that cannot be loaded: after an update of the server the files that an open page knows by
 * name are gone. Where the server answers, the page is loaded anew, which knows the new names.
 *
 * @param error why it could not be loaded
 * @throws it, where loading anew is of no use
 */
export async function loadAnew(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(STORED) ?? 0);
  if (Date.now() - last < ONCE_IN_MS || !(await isServerThere())) throw error;
  sessionStorage.setItem(STORED, String(Date.now()));
  location.reload();
  // Whatever waits goes away with the page.
  return await new Promise<never>(() => undefined);
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
