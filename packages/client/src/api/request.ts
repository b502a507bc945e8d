import type { ClientRoute } from '@heliograph/contracts/operations/client-routes';
import { pathOf } from '@heliograph/contracts/operations/path-of';
import type { Call } from '../http/call.ts';
import type { Query } from '../http/query.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The request that calls an operation.
 *
 * @throws TypeError when a parameter of the path is missing, or one that a URL would take for a step in the path
 */
export function requestOf(
  route: ClientRoute,
  input: Fields = {},
): Pick<Call, 'method' | 'path' | 'query'> & Pick<Call, 'body' | 'file'> {
  const { method, path, query = [], body } = route;
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const taken = (name: string): unknown => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  const filled = pathOf(`${method} ${path}`, input);
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) rest.delete(name);
  const target = { method: method as NonNullable<Call['method']>, path: filled };
  if (method === 'GET') return { ...target, query: Object.fromEntries(rest) as Query };
  const named = { ...target, query: Object.fromEntries(query.map((name) => [name, taken(name)])) as Query };
  if (body === 'bytes') return { ...named, file: taken('file') as Blob };
  return body === undefined ? named : { ...named, body: Object.fromEntries(rest) };
}
