import type { Upstream } from '../src/links/upstream.ts';

/** The status of the answer to a read of the metrics; what it was lost by, if there is none. */
export function statusOf(upstream: Upstream, headers: readonly string[] = []): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>();
  const head = { method: 'GET', path: '/api/v1/metrics', scheme: 'http', host: 'x', headers } as const;
  upstream.send(head, undefined, {
    onHead: resolve,
    onData: () => undefined,
    onEnd: () => undefined,
    onLost: resolve,
  });
  return promise;
}
