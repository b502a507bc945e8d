/** How long an answer waits for the page, in milliseconds: an older one may be true no more. */
const GOOD_FOR_MS = 30_000;

/** By method and path. */
const answers = new Map<string, Promise<Response>>();

/** Sends a POST that the page is about to send, while the page's scripts load: a browser preloads a GET alone. */
export function preloadPost(path: string): void {
  preload('POST', path);
}

/** Sends a GET likewise. @returns what it answers, for the shell of the page; undefined where that is no success */
export async function preloadJson(path: string): Promise<unknown> {
  try {
    const answer = await preload('GET', path);
    return answer.ok ? await answer.clone().json() : undefined;
  } catch {
    return undefined;
  }
}

function preload(method: string, path: string): Promise<Response> {
  const key = `${method} ${path}`;
  const answer = fetch(path, { method });
  // The page that takes the answer gets the failure.
  answer.catch(() => undefined);
  answers.set(key, answer);
  setTimeout(() => answers.delete(key), GOOD_FOR_MS);
  return answer;
}

/**
 * Requests as `fetch` does; the first request that was sent early gets that answer.
 *
 * @throws as `fetch`, also when the signal aborts
 */
export async function fetchPreloaded(path: string, init: RequestInit): Promise<Response> {
  const key = `${init.method ?? 'GET'} ${path}`;
  const preloaded = answers.get(key);
  if (preloaded === undefined) return await fetch(path, init);
  answers.delete(key);
  const { signal } = init;
  return await new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    preloaded.then(resolve, reject);
  });
}
