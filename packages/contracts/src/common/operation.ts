import { type Static, type TSchema, Type } from 'typebox';
import type { Scope } from './scopes.ts';
import type { SitePermission } from './site-permissions.ts';

/** Statuses of refusals. */
export type Refusal = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 502 | 503 | 504;

/**
 * A caller shows this to the cloud before anything of the request is read: a token with at least one of the scopes (of
 * an empty list: any token), a session, a session or an API token of the user's own, a session with a sign-in within 15 minutes, the same or the pending sign-in that
 * must set up a second factor, the credential of the proxy that the path names, the proof of the device of a site that the query
 * names, or nothing.
 */
export type CloudRequirement =
  | readonly Scope[]
  | 'nothing'
  | 'session'
  | 'own_token'
  | 'fresh_session'
  | 'enrolment'
  | 'proxy'
  | 'device';

/**
 * A caller of a device may read, change settings, or configure the device; `own_page` and `first_run` are for browsers on
 * its network, the latter while it has no password.
 */
export type DeviceRequirement = 'nothing' | 'read' | 'write' | 'configure' | 'own_page' | 'first_run';

export type Requirement = CloudRequirement | DeviceRequirement;

/** Any valid token. */
export const ANY_TOKEN: readonly Scope[] = [];

/** The schema of an answer without content. */
export const NoContent = Type.Null();

/** Content of another type than JSON, by media type. */
export interface OtherContent {
  readonly description?: string;
  readonly content: Readonly<Record<string, { readonly schema: TSchema }>>;
}

export interface OperationDefinition {
  /** Method and path, with parameters as `{name}`. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** One sentence, without its full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly requires: Requirement;
  /**
   * The permission that the caller needs on the site that `{id}` of the path names. Checked once the input is valid: a site that
   * the caller does not see is 404, one without the permission 403.
   */
  readonly permission?: SitePermission;
  /** A request that is repeated with the same `Idempotency-Key` is answered as the first was, and done once. */
  readonly takesIdempotencyKey?: true;
  /** Takes also the tokens that third parties got for the MCP server. */
  readonly takesMcpTokens?: true;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema | OtherContent;
  /** Whether a request without a body stands for one with an empty object. */
  readonly isBodyOptional?: true;
  /** Largest body in bytes, where it is not the usual 64 KiB. */
  readonly bodyLimit?: number;
  /** Invisible characters in texts are removed; elsewhere they are refused. */
  readonly cleansText?: true;
  /** A form: fields that are missing or of another type are 422 with a message each, too, where other operations answer 400. */
  readonly invalidFields?: 422;
  /** Successful answers by status; the handler chooses where there are two. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204 | 302 | 303, TSchema | OtherContent>>>;
  /** Besides those that follow from the rest: 400, 413, 415 of the input, 401, 403 and those of a device and its proxy of the requirement. */
  readonly refusals?: readonly Refusal[];
  /**
   * Refusals that never name fields: `nested` ones are `{ error: { message } }`, as the specification shows them for these
   * operations, those of `write` have the reason and the outcome of a write, and those of `oauth` are of RFC 6749. Those of `page` are pages for
   * people, and those of `json_rpc` about a body are of JSON-RPC.
   */
  readonly errorShape?: 'nested' | 'write' | 'oauth' | 'page' | 'json_rpc';
}

/** One operation of the API. */
export interface Operation extends OperationDefinition {
  /** The `operationId` of the published document, and the name of the client's method. */
  readonly id: string;
  /** Groups operations in the published document. */
  readonly tag: string;
}

type Named<Definitions> = {
  readonly [Id in keyof Definitions]: Definitions[Id] & { readonly id: Id & string; readonly tag: string };
};

/** Operations of one noun, by their ids. */
export function operations<const Definitions extends Readonly<Record<string, OperationDefinition>>>(
  tag: string,
  definitions: Definitions,
): Named<Definitions> {
  const named = Object.entries(definitions).map(([id, definition]) => [id, { ...definition, id, tag }]);
  return Object.fromEntries(named) as Named<Definitions>;
}

/** Every object extends TypeBox's `TSchema`, so other content is recognized first. */
type StaticOr<Schema, Otherwise> = Schema extends OtherContent
  ? Otherwise
  : Schema extends TSchema
    ? Static<Schema>
    : Otherwise;

/** The value of an operation's path parameters, query, or body. */
export type Input<Op extends Operation, Part extends 'params' | 'query' | 'body'> = Op extends {
  readonly [Key in Part]: infer Schema;
}
  ? StaticOr<Schema, unknown>
  : undefined;

/** The value of a successful answer. */
export type Answer<Op extends Operation> = {
  [Status in keyof Op['answers']]: StaticOr<Op['answers'][Status], unknown>;
}[keyof Op['answers']];

/** Statuses that an operation refuses with, in order. Any operation may answer 503 besides, and 429 beyond a rate limit. */
export function refusalsOf(operation: Operation): Refusal[] {
  const { route, requires, params, query, refusals = [], invalidFields, takesIdempotencyKey } = operation;
  const isGet = route.startsWith('GET ');
  const ofInput: Refusal[] = [
    ...(params !== undefined || query !== undefined || !isGet ? ([400] as const) : []),
    ...(isGet ? [] : ([413, 415] as const)),
    ...(invalidFields === undefined ? [] : [invalidFields]),
    ...(takesIdempotencyKey ? ([422] as const) : []),
  ];
  return [...new Set([...ofInput, ...refusalsOfRequirement(requires), ...refusals])].sort((a, b) => a - b);
}

/** Whether a caller shows a device its password or a site token. */
export function takesDevicePassword(requires: Requirement): boolean {
  return ['read', 'write', 'configure'].includes(String(requires));
}

function refusalsOfRequirement(requires: Requirement): readonly Refusal[] {
  if (requires === 'nothing') return [];
  // A device takes its password with any of these, and limits wrong ones; its proxy answers while it cannot.
  if (takesDevicePassword(requires)) return [401, 403, 429, 502, 503, 504];
  if (requires === 'own_page' || requires === 'first_run') return [403];
  return typeof requires === 'object' && requires.length === 0 ? [401] : [401, 403];
}
