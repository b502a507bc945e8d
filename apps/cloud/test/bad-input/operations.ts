import {
  BotCheckSolution,
  DeviceConnectBody,
  ErrorBody,
  ProxyAnnounceBody,
  ProxyChangeBody,
} from '@heliograph/contracts';
import { Compile } from 'typebox/schema';
import { REFUSALS } from '../../src/http/openapi-refusals.ts';
import {
  type ApiDocument,
  bodyOf,
  type DocumentOperation,
  type DocumentSchema,
  resolved,
} from '../../src/testing/api-document.ts';

export interface BadInputOperation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly caller: 'anonymous' | 'account' | 'application' | 'proxy';
  readonly parameters: readonly {
    readonly in: string;
    readonly name: string;
    readonly schema: DocumentSchema;
  }[];
  /** Schema of the JSON body; undefined without one. */
  readonly body: DocumentSchema | undefined;
  readonly isBodyOptional: boolean;
  /** Whether a value satisfies the schema of the body. */
  readonly accepts: (body: unknown) => boolean;
  /** Checks an answer's body against the contract, by status. */
  readonly answers: ReadonlyMap<number, (body: unknown) => boolean>;
}

/** Every operation that the cloud publishes, and those that only devices, proxies and its own pages call. */
export function operationsOf(document: ApiDocument): BadInputOperation[] {
  const published = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => describe(document, method.toUpperCase(), path, found)),
  );
  return [...published, ...INTERNAL];
}

/** Statuses that every operation may answer besides those it lists; see the introduction of the document. */
const COMMON_STATUSES = [429];

function describe(
  document: ApiDocument,
  method: string,
  path: string,
  found: DocumentOperation,
): BadInputOperation {
  const checkOf = ({ content }: DocumentOperation['responses'][string]) => {
    const schema = content?.['application/json']?.schema;
    return schema === undefined ? () => true : checker(resolved(document, schema));
  };
  const listed = Object.entries(found.responses).map(
    ([status, response]) => [Number(status), checkOf(response)] as const,
  );
  // Some operations have their own format of refusals.
  const refusal = listed.find(([status]) => status >= 400 && status !== 412 && status !== 422)?.[1];
  const body = bodyOf(document, found);
  return {
    id: found.operationId,
    method,
    path,
    caller: callerOf(found),
    parameters: found.parameters ?? [],
    body,
    isBodyOptional: found.requestBody?.required !== true,
    accepts: body === undefined ? () => true : checker(body),
    answers: new Map([
      ...COMMON_STATUSES.map((status) => [status, refusal ?? checker(ErrorBody)] as const),
      ...listed,
    ]),
  };
}

function callerOf({ security, operationId }: DocumentOperation): BadInputOperation['caller'] {
  if (security.length === 0) return 'anonymous';
  return operationId === 'addOrganizationSite' ? 'application' : 'account';
}

function checker(schema: object): (value: unknown) => boolean {
  const validator = Compile(schema);
  return (value) => validator.Check(value);
}

function internal(
  route: string,
  caller: BadInputOperation['caller'],
  body: object | undefined,
  parameters: BadInputOperation['parameters'] = [],
): BadInputOperation {
  const [method = '', path = ''] = route.split(' ');
  const refused = [...COMMON_STATUSES, 400, 401, 403, 404, 409, 413, 422].map(
    (status) => [status, checker(REFUSAL)] as const,
  );
  return {
    id: route,
    method,
    path,
    caller,
    parameters,
    body,
    isBodyOptional: false,
    accepts: body === undefined ? () => true : checker(body),
    answers: new Map([[200, () => true], ...refused]),
  };
}

const REFUSAL = { anyOf: [{ required: ['error'] }, { required: ['errors'] }] };

const PROXY_NAME = { in: 'path', name: 'name', schema: { type: 'string' } };
const ANNOUNCEMENT = [
  PROXY_NAME,
  { in: 'query', name: 'revocations_since', schema: { type: 'string', format: 'date-time' } },
];

const INTERNAL = [
  internal('POST /api/v1/devices/connect', 'anonymous', DeviceConnectBody),
  internal('POST /register/verify', 'anonymous', BotCheckSolution),
  internal('PUT /api/v1/proxies/{name}', 'proxy', ProxyAnnounceBody, ANNOUNCEMENT),
  internal('PATCH /api/v1/proxies/{name}', 'proxy', ProxyChangeBody, ANNOUNCEMENT),
  internal('GET /api/v1/proxies/{name}/sites/{id}', 'proxy', undefined, [
    PROXY_NAME,
    { in: 'path', name: 'id', schema: { type: 'integer' } },
  ]),
  internal('GET /api/v1/proxies/{name}/site_names/{site_name}', 'proxy', undefined, [
    PROXY_NAME,
    { in: 'path', name: 'site_name', schema: { type: 'string' } },
  ]),
];

/** Operations are tested in several files, so that none takes long. */
export type Group = 'accounts' | 'organizations' | 'teams' | 'sites' | 'devices' | 'others';

/** Ids of operations by group, known before a cloud runs. */
export const OPERATION_IDS: Readonly<Partial<Record<Group, readonly string[]>>> = Object.groupBy(
  [...Object.keys(REFUSALS), ...INTERNAL.map(({ id }) => id)],
  groupOf,
);

function groupOf(id: string): Group {
  if (/^(signIn|register|confirmUser)$|Password/.test(id)) return 'accounts';
  if (/Organization(Member|Logo|Document)|Application/.test(id)) return 'teams';
  if (/Organization/.test(id)) return 'organizations';
  if (/Site/.test(id)) return 'sites';
  return /[dD]evice|Activation/.test(id) ? 'devices' : 'others';
}
