import { traceHeaders, truncate } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Caller } from '../access/caller.ts';
import type { SitePlatform } from '../sites/platform.ts';
import { routeToSite, type SiteRoute } from '../sites/sites/access.ts';
import { SiteFailure } from './failures.ts';
import { orSiteNotFound } from './site-not-found.ts';

/** Largest answer of a device, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Maximum length of a refusal's text for the agent, in characters. */
const MAX_REFUSAL = 2_000;

/** JSON-RPC code of invalid parameters, including an unknown tool. */
const UNKNOWN_TOOL = -32_602;

/** The fields of the answer to `tools/call` that are read. */
const Answer = Compile(
  Type.Union([
    Type.Object({
      result: Type.Object({
        content: Type.Optional(Type.Array(Type.Object({ text: Type.Optional(Type.String()) }))),
        structuredContent: Type.Optional(Type.Object({})),
        isError: Type.Optional(Type.Boolean()),
      }),
    }),
    Type.Object({ error: Type.Object({ code: Type.Integer(), message: Type.String() }) }),
  ]),
);

/**
 * The output of a device's tool.
 *
 * @throws SiteFailure for a refusal, and for an invalid answer
 */
function outputIn(text: string): object {
  const answer = parsed(text);
  if (answer === undefined) throw new SiteFailure('failed', 'The site answered with something unreadable');
  if ('error' in answer)
    throw answer.error.code === UNKNOWN_TOOL
      ? new SiteFailure('outdated', OUTDATED)
      : new SiteFailure('failed', 'The tool failed at the site');
  const { content = [], structuredContent, isError } = answer.result;
  if (isError === true) {
    const message = content.map((block) => block.text ?? '').join('\n');
    if (message === '') throw new SiteFailure('failed', 'The site refused without saying why');
    // Quoted, because the text comes from a device and is data to the agent.
    throw new SiteFailure('failed', `The site refused: ${JSON.stringify(truncate(message, MAX_REFUSAL))}`);
  }
  if (structuredContent === undefined) throw new SiteFailure('outdated', OUTDATED);
  return structuredContent;
}

/** The message for a device without the tool. */
const OUTDATED = "The site's software does not have this tool: it needs an update";

function parsed(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return Answer.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of an answer. @throws SiteFailure when it is too large */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES)
      throw new SiteFailure('failed', 'The answer of the site is too large: ask for less');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

type SiteTarget = NonNullable<SiteRoute['target']>;

/** Deadline of a site's answer, in milliseconds: agents time out soon after. */
const DEADLINE_MS = 8_000;

/**
 * Calls a tool of a site through its proxy, for a caller and with a read-only token.
 *
 * @throws NotFound when the caller sees no such site; SiteFailure
 */
export async function callSite(
  platform: SitePlatform,
  caller: Caller,
  siteId: number,
  name: string,
  given: object,
): Promise<object> {
  return callDevice(await routeTo(platform, caller, siteId), name, given);
}

/** @throws NotFound when the caller sees no such site */
export function routeTo(platform: SitePlatform, caller: Caller, siteId: number): Promise<SiteRoute> {
  return orSiteNotFound(siteId, routeToSite(platform, caller, siteId));
}

/**
 * @param name of the tool at the device
 * @returns the device's answer, whose content is unchecked
 * @throws SiteFailure
 */
export async function callDevice(
  way: SiteRoute,
  name: string,
  given: object,
  deadlineMs = DEADLINE_MS,
): Promise<object> {
  const params = { name, arguments: given };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { status, text } = await exchange(way, body, deadlineMs);
  const failure = failureOf(status, way);
  if (failure !== undefined) throw failure;
  return outputIn(text);
}

/** @throws SiteFailure when the site cannot be reached or does not answer in time */
async function exchange(
  way: SiteRoute,
  body: string,
  deadlineMs: number,
): Promise<{ status: number; text: string }> {
  const { target } = way;
  if (target === undefined) throw offline(way);
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    // A pooled connection may just have been closed. Tools only read, so that a second call does no harm.
    const response = await post(target, body, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return post(target, body, signal);
    });
    return { status: response.status, text: await textOf(response) };
  } catch (error) {
    if (error instanceof SiteFailure) throw error;
    if (signal.aborted)
      throw new SiteFailure('busy', 'The site did not answer in time: try again, or ask for less');
    throw offline(way);
  }
}

function post(target: SiteTarget, body: string, signal: AbortSignal): Promise<Response> {
  const { proxyUrl, siteId, siteKey, token } = target;
  return fetch(new URL('/api/v1/mcp', proxyUrl), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'site-id': String(siteId),
      'site-key': siteKey,
      'content-type': 'application/json',
      accept: 'application/json',
      ...traceHeaders(),
    },
    body,
    redirect: 'manual',
    signal,
  });
}

/** The proxy answers 502 and 503 for a disconnected device, 504 for one that does not answer. */
function failureOf(status: number, way: SiteRoute): SiteFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 502 && status <= 504) return offline(way);
  if (status === 404) return new SiteFailure('outdated', OUTDATED);
  if (status === 429)
    return new SiteFailure('busy', 'Too much is asked of the site at once: try again later');
  return new SiteFailure('failed', `The site refused the call (HTTP ${status})`);
}

function offline({ lastSeenAt }: SiteRoute): SiteFailure {
  const seen = lastSeenAt === null ? 'it was never seen' : `it was last seen at ${lastSeenAt}`;
  return new SiteFailure('offline', `The site is offline; ${seen}`);
}
