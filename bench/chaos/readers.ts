import type { Dice } from './dice.ts';
import type { Judge } from './journal.ts';
import type { SiteApiClient } from './site-api-client.ts';

/**
 * Reads one topic after another at random, so that each answer shows which request it belongs to, and repeats a failed read.
 *
 * @param host a fixed host instead of the one that the cloud names
 */
export async function read(
  client: SiteApiClient,
  topics: readonly string[],
  dice: Dice,
  signal: AbortSignal,
  host?: string,
): Promise<void> {
  const purpose = host === undefined ? 'read' : 'read elsewhere';
  while (!signal.aborted) {
    const topic = dice.pick(topics);
    const path = `/api/v1/metrics?topic=${encodeURIComponent(topic)}`;
    const { isGood } = await client.send(purpose, { path }, rowsOf(topic), host);
    if (isGood) await client.pause(signal);
    else await client.lookAgain(signal);
  }
}

/** The name of a site, and where a load balancer takes its requests. */
export interface SiteName {
  /** Such as `demo.eu.example.org`. */
  readonly name: string;
  /** Host of the balancer. */
  readonly host: string;
}

/** As {@link read}, at the name of the site, with the same token for good. */
export async function readByName(
  client: SiteApiClient,
  topics: readonly string[],
  dice: Dice,
  signal: AbortSignal,
  { name, host }: SiteName,
): Promise<void> {
  while (await client.pause(signal)) {
    const topic = dice.pick(topics);
    const request = { path: `/api/v1/metrics?topic=${encodeURIComponent(topic)}`, headers: { host: name } };
    await client.send('read by name', request, rowsOf(topic), host);
  }
}

/** Writes to a topic that does not exist, under a name of its own; the device's refusal repeats the name. */
export async function echo(client: SiteApiClient, name: string, signal: AbortSignal): Promise<void> {
  for (let number = 1; !signal.aborted; number++) {
    const topic = `${name}/${number}`;
    const request = { method: 'POST', path: '/api/v1/metrics', body: { topic, value: '1' } } as const;
    const { isGood } = await client.send('echo', request, refusalOf(topic));
    if (isGood) await client.pause(signal);
    else await client.lookAgain(signal);
  }
}

/** Authorizes again and again, without a failure. */
export async function authorize(client: SiteApiClient, signal: AbortSignal): Promise<void> {
  while (await client.pause(signal)) await client.authorize();
}

/** After a start the device may not know a value yet: then there is no row. */
function rowsOf(topic: string): Judge {
  return (status, body) => {
    if (status !== 200) return status >= 400 ? 'failed' : 'unexpected';
    const rows = parsed(body);
    const isMine = Array.isArray(rows) && rows.length <= 1 && rows.every((row) => row.topic === topic);
    return isMine ? 'good' : 'unexpected';
  };
}

function refusalOf(topic: string): Judge {
  return (status, body) => {
    if (status === 422) return body.includes(`"${topic} `) ? 'good' : 'unexpected';
    return status >= 400 ? 'failed' : 'unexpected';
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
