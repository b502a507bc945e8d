import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { ConfigError, messageOf } from '@heliograph/kit';
import { Client } from 'pg';

/** How long a server may take to answer whether it accepts writes, in milliseconds. */
const PROBE_MS = 3_000;
/** How long the others may take once one accepts writes, in milliseconds: it may be a former primary. */
const GRACE_MS = 300;

/** A server, by its own answer. */
interface Server {
  readonly host: string;
  readonly port: number;
  /** Grows with each promotion of a standby; undefined: it is a standby. */
  readonly timeline: number | undefined;
}

/** No server of `DATABASE_URL` accepts writes, such as between the loss of a primary and the promotion of its standby. */
export class NoPrimary extends Error {
  override readonly name = 'NoPrimary';
}

/** The address of a database, in the form in which `pg` takes it. */
export interface DatabaseAddress {
  readonly connectionString: string;
  readonly stream?: () => Socket;
}

/**
 * The address of the database that a URL names. Of several hosts, `postgres://user:password@a:5432,b:5432/name`, each
 * connection goes to the one that accepts writes, which libpq calls `target_session_attrs=read-write` and `pg` lacks.
 *
 * @throws ConfigError without the URL, which has a password
 */
export function databaseAddress(url: string): DatabaseAddress {
  const urls = urlsIn(url);
  const [first, ...others] = urls;
  if (first === undefined || others.length === 0) return { connectionString: url };
  // `pg` passes the settings of the connection, which its types leave out.
  const stream = (connection?: { ssl?: unknown }): Socket => {
    if (connection?.ssl) connection.ssl = { ...Object(connection.ssl), checkServerIdentity: anyOf(urls) };
    return socketToPrimary(urls);
  };
  return { connectionString: first, stream };
}

/** One URL for each host. */
function urlsIn(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  const urls = hosts.split(',').map((host) => `${start}${host}${rest}`);
  if (!urls.every((one) => URL.canParse(one) && new URL(one).hostname !== '')) {
    throw new ConfigError('DATABASE_URL must name hosts as in postgres://user:password@a:5432,b:5432/name');
  }
  const wanted = new URL(urls[0] ?? '').searchParams.get('target_session_attrs') ?? 'read-write';
  if (wanted !== 'read-write' && wanted !== 'primary') {
    throw new ConfigError('target_session_attrs in DATABASE_URL must be read-write');
  }
  return urls;
}

/** A socket that connects to the primary, whichever host `pg` names. */
function socketToPrimary(urls: readonly string[]): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  const connectToPrimary = (): Socket => {
    findPrimary(urls).then(
      ({ host, port }) => {
        if (!socket.destroyed) connect(port, host);
      },
      (error) => socket.destroy(error),
    );
    return socket;
  };
  return Object.assign(socket, { connect: connectToPrimary });
}

/** @throws NoPrimary */
async function findPrimary(urls: readonly string[]): Promise<Server> {
  const servers: Server[] = [];
  const failures: string[] = [];
  const first = Promise.withResolvers<void>();
  const probes = urls.map(async (url) => {
    try {
      const server = await probe(url);
      if (server.timeline === undefined) failures.push(`${new URL(url).host} is a standby`);
      else {
        servers.push(server);
        first.resolve();
      }
    } catch (error) {
      failures.push(`${new URL(url).host}: ${messageOf(error)}`);
    }
  });
  await Promise.race([Promise.all(probes), first.promise.then(() => delay(GRACE_MS))]);
  const [newest] = servers.toSorted((a, b) => (b.timeline ?? 0) - (a.timeline ?? 0));
  if (newest === undefined) throw new NoPrimary(`no database accepts writes: ${failures.join('; ')}`);
  return newest;
}

async function probe(url: string): Promise<Server> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
    application_name: 'heliograph-probe',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // The first eight digits of the name of a file of the write-ahead log are the timeline.
    const { rows } = await client.query<{ timeline: string | null }>(
      `select case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
        then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`,
    );
    const timeline = rows[0]?.timeline ?? undefined;
    const { host, port } = client;
    return { host, port, timeline: timeline === undefined ? undefined : Number.parseInt(timeline, 16) };
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** A certificate is good for each host of the URL, since `pg` knows the first one alone. */
function anyOf(urls: readonly string[]) {
  const hosts = urls.map((url) => new URL(url).hostname.replace(/^\[(.+)\]$/, '$1'));
  return (_host: string, certificate: PeerCertificate): Error | undefined => {
    const errors = hosts.map((host) => checkServerIdentity(host, certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  };
}
