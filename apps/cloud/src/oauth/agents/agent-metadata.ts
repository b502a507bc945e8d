import type { Scope } from '@heliograph/contracts';
import {
  isLoopbackHost,
  type RedirectKind,
  type RedirectUri,
  readRedirectUri,
} from '../applications/redirect-uri.ts';
import { AGENT_SCOPES } from './challenge.ts';
import { InvalidAgentMetadata } from './errors.ts';

export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

const AUTH_METHODS: readonly AuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

/** Maximum length of a displayed name, in characters. */
const MAX_NAME_LENGTH = 100;

const MAX_REDIRECT_URIS = 10;

/**
 * Addresses of widespread agents whose scheme is no domain name in reverse; the code that another program would get there is
 * of no use without the verifier (RFC 8252, 8.1).
 */
const KNOWN_REDIRECT_URIS: ReadonlySet<string> = new Set(['cursor://anysphere.cursor-mcp/oauth/callback']);

/** Longest address of a page about an agent, in characters. */
const MAX_PAGE_LENGTH = 2_000;

/** Pages and pictures about an agent; the cloud never fetches them. */
const PAGES = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const;

/** The stored part of a client's metadata (RFC 7591, 2; application_type: OpenID Connect Registration). */
export interface AgentMetadata extends Readonly<Partial<Record<(typeof PAGES)[number], string>>> {
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly ['authorization_code'];
  readonly response_types: readonly ['code'];
  readonly token_endpoint_auth_method: AuthMethod;
  readonly application_type: 'native' | 'web';
  readonly scope: string;
}

/** Source of an agent's metadata: a registration, or the document at the address that is its id. */
export type Source = 'registration' | 'document';

/**
 * The supported part of the metadata that an agent sends, which the answer repeats (RFC 7591, 3.2.1). Unsupported
 * fields, and those that would have to be fetched, are left out.
 *
 * @throws InvalidAgentMetadata for metadata without a usable redirect URI, grant type or authentication method
 */
export function agentMetadata(given: Readonly<Record<string, unknown>>, source: Source): AgentMetadata {
  // Some programs send null or an empty text for what they leave out.
  const sent = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && value !== ''),
  );
  requireOneOf(sent, 'grant_types', 'authorization_code');
  requireOneOf(sent, 'response_types', 'code');
  const uris = redirectUris(sent.redirect_uris);
  return {
    client_name: nameOf(sent.client_name, uris),
    redirect_uris: uris,
    // Agents request refresh tokens too, and work without.
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: source === 'document' ? documentAuthMethod(sent) : authMethod(sent),
    application_type: applicationType(sent.application_type, uris),
    scope: scopesOf(sent.scope).join(' '),
    ...pagesOf(sent),
  };
}

function requireOneOf(sent: Readonly<Record<string, unknown>>, field: string, needed: string): void {
  const value = sent[field];
  if (value === undefined || (Array.isArray(value) && value.includes(needed))) return;
  throw invalid(`${field} must contain ${needed}`);
}

/** The default is HTTP Basic (RFC 7591, 2). */
function authMethod({
  token_endpoint_auth_method: method = 'client_secret_basic',
}: Readonly<Record<string, unknown>>) {
  const known = AUTH_METHODS.find((name) => name === method);
  if (known === undefined)
    throw invalid(`token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}`);
  return known;
}

/** A document is public, so there is no secret; an agent may list `none` among others. */
function documentAuthMethod(sent: Readonly<Record<string, unknown>>): 'none' {
  const { token_endpoint_auth_method: method = 'none', token_endpoint_auth_methods_supported: offered } =
    sent;
  if (method === 'none' || (Array.isArray(offered) && offered.includes('none'))) return 'none';
  throw invalid('token_endpoint_auth_method must be none');
}

/**
 * An agent with a loopback or private-use redirect URI is native unless its metadata state otherwise: only then the port
 * of a loopback address is free. Many native agents omit the field.
 */
function applicationType(sent: unknown, uris: readonly string[]): 'native' | 'web' {
  if (sent !== undefined && sent !== 'native' && sent !== 'web') {
    throw invalid('application_type must be native or web');
  }
  const kinds = uris.map(redirectKind);
  const isNative = kinds.some((kind) => kind !== 'https');
  if (sent === 'web' && kinds.includes('private-use')) {
    throw invalidUris('of a web application must be of the web');
  }
  if (sent === 'web' || !isNative) return 'web';
  if (uris.some((uri) => redirectKind(uri) === 'https' && isLoopbackHost(uri))) {
    throw invalidUris('of this machine must be http');
  }
  return 'native';
}

/**
 * The redirect URIs of an agent that may be used, as they were sent: they are compared exactly, but for the port of a
 * loopback address (RFC 8252, 7.3). Agents send those of all their editions, of which some are of schemes that any program
 * can take; the answer has the others (RFC 7591, 3.2.1).
 *
 * @throws InvalidAgentMetadata where none is left
 */
function redirectUris(sent: unknown): readonly string[] {
  if (!Array.isArray(sent) || sent.length === 0) throw invalidUris('must be a list of URIs');
  if (sent.length > MAX_REDIRECT_URIS) throw invalidUris(`may have ${MAX_REDIRECT_URIS} members at most`);
  const usable = sent.filter(
    (uri) => typeof uri === 'string' && readAgentRedirectUri(uri).fault === undefined,
  );
  // The fault of the first is the reason of the refusal.
  if (usable.length === 0) redirectKind(sent[0]);
  return usable;
}

function readAgentRedirectUri(uri: string): RedirectUri {
  return KNOWN_REDIRECT_URIS.has(uri) ? { kind: 'private-use' } : readRedirectUri(uri);
}

/** @throws InvalidAgentMetadata for an unsafe redirect target */
function redirectKind(uri: unknown): RedirectKind {
  if (typeof uri !== 'string') throw invalidUris('must contain strings');
  const read = readAgentRedirectUri(uri);
  if (read.fault !== undefined) throw invalidUris(`${read.fault}: ${uri.slice(0, 100)}`);
  return read.kind;
}

/** @param fault a text that continues the field's name */
function invalidUris(fault: string): InvalidAgentMetadata {
  return new InvalidAgentMetadata('invalid_redirect_uri', `redirect_uris ${fault}`);
}

/**
 * The supported scopes of a request; all of them if it has none that a tool needs, because the person decides on the consent
 * page.
 */
function scopesOf(sent: unknown): readonly Scope[] {
  const requested = new Set(typeof sent === 'string' ? sent.split(' ') : []);
  const allowed = AGENT_SCOPES.filter((scope) => requested.has(scope));
  return allowed.every((scope) => scope === 'openid') ? AGENT_SCOPES : allowed;
}

/** Removes invisible characters, direction marks and line breaks, because people decide by this name. */
function nameOf(sent: unknown, uris: readonly string[]): string {
  const visible = (typeof sent === 'string' ? sent : '')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .trim();
  const name = [...visible].slice(0, MAX_NAME_LENGTH).join('').trim();
  return name === '' ? `Unnamed agent (${placeOf(uris[0] ?? '')})` : name;
}

/** The host of a web address, or the scheme of a private-use one. */
function placeOf(uri: string): string {
  const url = URL.parse(uri);
  return (url?.hostname || url?.protocol.replace(/:$/, '') || '').slice(0, MAX_NAME_LENGTH);
}

function pagesOf(sent: Readonly<Record<string, unknown>>): Partial<Record<(typeof PAGES)[number], string>> {
  const kept = PAGES.map((field) => [field, sent[field]] as const).filter(([, page]) => isPage(page));
  return Object.fromEntries(kept);
}

function isPage(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_PAGE_LENGTH || !/^https:\/\/[\x21-\x7e]+$/.test(value))
    return false;
  const url = URL.parse(value);
  return url !== null && url.username === '' && url.password === '';
}

function invalid(message: string): InvalidAgentMetadata {
  return new InvalidAgentMetadata('invalid_client_metadata', message);
}
