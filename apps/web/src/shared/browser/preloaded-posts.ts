const answers = new Map<string, Promise<Response>>();

/** Sends a POST that the page is about to send, while the page's scripts load: a browser preloads a GET alone. */
export function preloadPost(path: string): void {
  const answer = fetch(path, { method: 'POST' });
  // The page that takes the answer gets the failure.
  answer.catch(() => undefined);
  answers.set(path, answer);
}

/**
 * Requests as `fetch` does; the first POST to a path that was sent early gets that answer.
 *
 * @throws as `fetch`, also when the signal aborts
 */
export async function fetchPreloaded(path: string, init: RequestInit): Promise<Response> {
  const preloaded = init.method === 'POST' ? answers.get(path) : undefined;
  if (preloaded === undefined) return await fetch(path, init);
  answers.delete(path);
  const { signal } = init;
  return await new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    preloaded.then(resolve, reject);
  });
}
