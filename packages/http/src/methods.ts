import type { FastifyInstance } from 'fastify';

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

  app.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    if (request.method === 'OPTIONS' && withoutPreflight.includes(path)) return;
    const methods = paths.get(path)?.methods ?? (request.is404 ? methodsAt(path) : undefined);
    if (methods === undefined || methods.size === 0 || methods.has(request.method)) return;
    reply.header('allow', [...methods].sort().join(', '));
    return reply.code(405).send({ error: `${request.method} is not offered here` });
  });

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
