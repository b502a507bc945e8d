import type { App } from './app-type.ts';

/** Methods that are offered, by the path of their routes as a pattern. */
interface OfferedPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/**
 * Answers 405, and which methods there are, where a path exists and the method does not; a path without parameters is
 * never taken for one with them, as `/sites/local` for a site. OPTIONS stays unknown where
 * no route has it: a preflight for the token endpoint is expected to find nothing.
 */
export function refuseOtherMethods(app: App): void {
  const paths = new Map<string, OfferedPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url);
    const methods = known?.methods ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    if (known === undefined) paths.set(url, { pattern: patternOf(url), methods });
  });

  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS') return;
    const [path = ''] = request.url.split('?');
    const methods = paths.get(path)?.methods ?? (request.is404 ? methodsAt(path) : undefined);
    if (methods === undefined || methods.size === 0 || methods.has(request.method)) return;
    reply.header('allow', [...methods].sort().join(', '));
    return reply.code(405).send({ error: `${request.method} is not offered here` });
  });

  /** Those of every route whose pattern the path fits. */
  function methodsAt(path: string): ReadonlySet<string> {
    const fitting = [...paths.values()].filter(({ pattern }) => pattern.test(path));
    return new Set(fitting.flatMap(({ methods }) => [...methods]));
  }
}

/** A route's path, in which `:name` stands for a segment and `*` for whatever follows. */
function patternOf(url: string): RegExp {
  const source = url
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}$`);
}
