import type { Operation } from './operation.ts';

export interface ClientRoute {
  readonly method: string;
  /** With parameters as `{name}`. */
  readonly path: string;
  /** Fields of the query, where the method is not GET; of a GET all fields but those of the path are. */
  readonly query?: readonly string[];
  /** `json`: the other fields are the body; `bytes`: the field `file` is the body. */
  readonly body?: 'json' | 'bytes';
  /** Left out for JSON. */
  readonly answer?: 'none' | 'text' | 'bytes';
}

export type ClientRoutes<Operations> = { readonly [Id in keyof Operations]: ClientRoute };

/** Routes of operations, without their schemas. */
export function clientRoutes<const Operations extends Readonly<Record<string, Operation>>>(
  operations: Operations,
): ClientRoutes<Operations> {
  return Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => [id, clientRoute(operation)]),
  ) as ClientRoutes<Operations>;
}

function clientRoute({ route, query, body, answers }: Operation): ClientRoute {
  const [method = '', path = ''] = route.split(' ');
  const answer = answerOf(answers);
  return {
    method,
    path,
    ...(query !== undefined && method !== 'GET' && { query: Object.keys(propertiesOf(query)) }),
    ...(body !== undefined && { body: 'content' in body ? 'bytes' : 'json' }),
    ...(answer !== undefined && { answer }),
  };
}

function answerOf(answers: Operation['answers']): ClientRoute['answer'] {
  const success = answers[200] ?? answers[201];
  if (success === undefined) return answers[302] === undefined ? 'none' : 'bytes';
  if (!('content' in success)) return undefined;
  return 'text/html' in (success.content as object) ? 'text' : 'bytes';
}

function propertiesOf(schema: object): object {
  return 'properties' in schema ? (schema.properties as object) : {};
}
