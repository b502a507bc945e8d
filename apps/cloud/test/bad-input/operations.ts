import { ErrorBody, type Operation, refusalsOf } from '@heliograph/contracts';
import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import {
  type ApiDocument,
  bodyOf,
  type DocumentOperation,
  type DocumentSchema,
  resolved,
} from '../api-document.ts';

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
  return [...published, ...Object.values(internalOperations).map(describeInternal)];
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

function describeInternal(operation: Operation): BadInputOperation {
  const { id, route, requires, params, query, body } = operation;
  const [method = '', path = ''] = route.split(' ');
  const parametersIn = (place: string, schema: TSchema | undefined) =>
    Object.entries((schema as DocumentSchema | undefined)?.properties ?? {}).map(([name, each]) => ({
      in: place,
      name,
      schema: each,
    }));
  const refused = [...COMMON_STATUSES, ...refusalsOf(operation)].map(
    (status) => [status, checker(REFUSAL)] as const,
  );
  return {
    id,
    method,
    path,
    caller: requires === 'proxy' ? 'proxy' : 'anonymous',
    parameters: [...parametersIn('path', params), ...parametersIn('query', query)],
    body: body as DocumentSchema | undefined,
    isBodyOptional: false,
    accepts: body === undefined ? () => true : checker(body),
    answers: new Map([[200, () => true], ...refused]),
  };
}

const REFUSAL = { anyOf: [{ required: ['error'] }, { required: ['errors'] }] };

/** Operations are tested in several files, so that none takes long. */
export type Group = 'accounts' | 'organizations' | 'teams' | 'sites' | 'devices' | 'others';

/** Ids of operations by group, known before a cloud runs. */
export const OPERATION_IDS: Readonly<Partial<Record<Group, readonly string[]>>> = Object.groupBy(
  [...Object.keys(cloudOperations), ...Object.keys(internalOperations)],
  groupOf,
);

function groupOf(id: string): Group {
  if (id in internalOperations) return 'others';
  if (/^(signIn|register|confirmUser)$|Password/.test(id)) return 'accounts';
  if (/Organization(Member|Logo|Document)|Application/.test(id)) return 'teams';
  if (/Organization/.test(id)) return 'organizations';
  if (/Site/.test(id)) return 'sites';
  return /[dD]evice|Activation/.test(id) ? 'devices' : 'others';
}
