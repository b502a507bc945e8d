import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Allowed methods, by the pattern of their routes' path. */
interface OfferedPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/**
 * Answers 405 with the allowed methods where a path exists and the method does not. A path without parameters takes
 * precedence over one with them, as `/sites/local` over a site.
 *
 * @param withoutPreflight paths at which OPTIONS is 404
 */
export function refuseOtherMethods(app: FastifyInstance, withoutPreflight: readonly string[] = []): void {
  const paths = new Map<string, OfferedPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url);
    const methods = known?.methods ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    if (known === undefined) paths.set(url, { pattern: patternOf(url), methods });
  });

  app.addHook('onRequest', (request, reply, done) => {
    const methods = offeredTo(request);
    if (methods === undefined || methods.size === 0 || methods.has(request.method)) done();
    else {
      reply.header('allow', [...methods].sort().join(', '));
      reply.code(405).send({ error: `${request.method} is not offered here` });
    }
  });

  /** @returns undefined where every method may go on */
  function offeredTo({ url, method, is404 }: FastifyRequest): ReadonlySet<string> | undefined {
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    if (method === 'OPTIONS' && withoutPreflight.includes(path)) return undefined;
    return paths.get(path)?.methods ?? (is404 ? methodsAt(path) : undefined);
  }

  /** Methods of every route whose pattern matches the path. */
  function methodsAt(path: string): ReadonlySet<string> {
    const fitting = [...paths.values()].filter(({ pattern }) => pattern.test(path));
    return new Set(fitting.flatMap(({ methods }) => [...methods]));
  }
}

/** A route's path, with `:name` for a segment and `*` for any rest. */
function patternOf(url: string): RegExp {
  const source = url
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}$`);
}
