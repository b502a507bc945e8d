/** How long an answer waits for the page, in milliseconds: an older one may be true no more. */
const GOOD_FOR_MS = 30_000;

interface Preloaded {
  readonly answer: Promise<Response>;
  readonly controller: AbortController;
}

/** By method and path. */
const requests = new Map<string, Preloaded>();

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
  const controller = new AbortController();
  const answer = fetch(path, { method, signal: controller.signal });
  // The page that takes the answer gets the failure.
  answer.catch(() => undefined);
  requests.set(key, { answer, controller });
  setTimeout(() => requests.delete(key), GOOD_FOR_MS);
  return answer;
}

/**
 * Requests as `fetch` does; the first request that was sent early gets that answer.
 *
 * @throws as `fetch`, also when the signal aborts; the body of the answer fails then as well
 */
export async function fetchPreloaded(path: string, init: RequestInit): Promise<Response> {
  const key = `${init.method ?? 'GET'} ${path}`;
  const preloaded = requests.get(key);
  if (preloaded === undefined) return await fetch(path, init);
  requests.delete(key);
  const { answer, controller } = preloaded;
  const { signal } = init;
  return await new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => {
      controller.abort(signal.reason);
      reject(signal.reason);
    });
    answer.then(resolve, reject);
  });
}
