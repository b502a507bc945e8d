import { createHash } from 'node:crypto';
import type { ProxyAnnounceBody, ProxyChangeBody } from '@heliograph/contracts';
import { canonicalEmail } from '@heliograph/contracts/email-address';
import { createTestDatabase, sharedTemplate, type TestDatabase } from '@heliograph/dev/testing';
import { type Logger, ManualClock, silentLogger, testMoment } from '@heliograph/kit';
import { sql } from 'kysely';
import { vi } from 'vitest';
import { SERVICE } from '../src/access/caller.ts';
import { type CloudOptions, startCloud } from '../src/cloud.ts';
import type { CloudConfig } from '../src/common/config/env.ts';
import { TOKEN_PREFIXES } from '../src/common/secrets/opaque-token.ts';
import { type HashCost, PasswordHashing } from '../src/common/secrets/password-hashing.ts';
import { type Database, type DatabaseTimeouts, openDatabase } from '../src/db/open.ts';
import { provideProxyCredential } from '../src/devices/proxies/credentials.ts';
import { CLOUD_SECRET } from './cloud-secret.ts';
import { oneConnectionEach } from './db/one-connection.ts';
import { Factory } from './factory.ts';

export { CLOUD_SECRET };

/** Bot checks are the same in tests, with little to do. */
const NO_EFFORT = { rounds: 1, fewestTries: 1, mostTries: 100 };

/** Argon2's least. */
const NO_HASH_COST: HashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Rows that a test prepares take as long as the machine needs. */
const NO_TIMEOUTS: DatabaseTimeouts = { connectMs: 0, statementMs: 0, answerMs: 0 };

/** When the tests take place. */
export const NOW = testMoment('2026-06-21T10:00:00Z');

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; tests say what they expect of it. */
  readonly body: Body;
}

export interface Call {
  /** A bearer token. */
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is; `headers` name its type. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  /** The address that the call seems to come from; by default an unused one. */
  readonly from?: string;
}

/** A mail as the mailbox has it. */
export interface TestMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The link that the mail is about. */
  readonly link: string;
  /** The secret at the end of the link. */
  readonly token: string;
}

/** Longest wait for a mail, and how often it is looked for, in milliseconds. */
const MAIL_WAIT = { timeout: 30_000, interval: 20 };

/** A cloud on a free port with a database of its own and a manual clock. */
export class TestCloud implements AsyncDisposable {
  readonly url: string;
  readonly clock: ManualClock;
  readonly db: Database;
  readonly databaseUrl: string;
  readonly make: Factory;
  readonly #dispose: () => Promise<void>;
  readonly #mailsRead = new Map<string, number>();
  readonly #proxyCredentials = new Map<string, Promise<string>>();
  #calls = 0;

  constructor(
    url: string,
    clock: ManualClock,
    db: Database,
    databaseUrl: string,
    dispose: () => Promise<void>,
    hashing?: PasswordHashing,
  ) {
    this.url = url;
    this.clock = clock;
    this.db = db;
    this.databaseUrl = databaseUrl;
    this.make = new Factory(db, clock, hashing);
    this.#dispose = dispose;
  }

  /** @param route method and path, such as `GET /api/v1/sites` */
  async call<Body = Record<string, unknown>>(
    route: string,
    { token, body, raw, headers = {}, from = this.#freshAddress() }: Call = {},
  ): Promise<Answer<Body>> {
    const [method = 'GET', path = '/'] = route.split(' ');
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'x-forwarded-for': from,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  }

  /** The credential of a proxy, made at the first call. */
  proxyCredential(name: string): Promise<string> {
    const known = this.#proxyCredentials.get(name) ?? this.#provideCredential(name);
    this.#proxyCredentials.set(name, known);
    return known;
  }

  /** Clouds of one database have the same ones. */
  async #provideCredential(name: string): Promise<string> {
    const credential = TOKEN_PREFIXES.proxy + createHash('sha256').update(name).digest('base64url');
    await provideProxyCredential(this, SERVICE, name, credential);
    return credential;
  }

  /** Makes the cloud send devices to a proxy. */
  async assign(proxyName: string, uids: readonly string[]): Promise<void> {
    await this.db
      .updateTable('devices')
      .set({ assigned_proxy: proxyName })
      .where('uid', 'in', [...uids, ''])
      .execute();
  }

  /** Sends those devices to a proxy that were never sent to any. */
  async #assignNew(proxyName: string, sessions: readonly { readonly uid: string }[]): Promise<void> {
    const uids = sessions.map(({ uid }) => uid);
    await sql`update devices set assigned_proxy = ${proxyName}
      where uid = any(${uids}::text[]) and assigned_proxy is null`.execute(this.db);
  }

  /** Announces a proxy as a proxy does; devices that it lists first are those that were sent there. */
  async announce(name: string, announced: Partial<ProxyAnnounceBody> = {}): Promise<Answer> {
    const host = `${name}.example.org`;
    const body = { host, url: `https://${host}`, region: 'us', sessions: [], ...announced };
    await this.#assignNew(name, body.sessions);
    return this.call(`PUT /api/v1/proxies/${name}`, { token: await this.proxyCredential(name), body });
  }

  /** Announces what changed on a proxy, by default nothing. */
  async announceChange(
    name: string,
    change: Partial<ProxyChangeBody> & Pick<ProxyChangeBody, 'sequence'>,
  ): Promise<Answer> {
    const body = { run: 'first', draining: false, removed: [], added: [], ...change };
    await this.#assignNew(name, body.added);
    return this.call(`PATCH /api/v1/proxies/${name}`, { token: await this.proxyCredential(name), body });
  }

  /** The next mail to an address that no test has read yet; waits for it. */
  async mail(to: string): Promise<TestMail> {
    const read = this.#mailsRead.get(canonicalEmail(to) ?? to) ?? 0;
    const mail = await vi.waitFor(async () => {
      const next = (await this.mails(to))[read];
      if (next === undefined) throw new Error(`No mail number ${read + 1} came to ${to}`);
      return next;
    }, MAIL_WAIT);
    this.#mailsRead.set(canonicalEmail(to) ?? to, read + 1);
    return mail;
  }

  /** All mails to an address so far, the oldest first. */
  async mails(to: string): Promise<TestMail[]> {
    const messages = await this.db
      .selectFrom('mailbox_messages')
      .select(['subject', 'text', 'html'])
      .where('recipient', '=', canonicalEmail(to) ?? to)
      .orderBy('id')
      .execute();
    return messages.map((message) => {
      const [link = '', token = ''] =
        /https?:\S+#(?:confirm|email|password\/reset|password\/set)\/([^\s?]+)\S*/.exec(message.text) ?? [];
      return { ...message, link, token };
    });
  }

  /** Multiplies what limits in the database have counted, and keeps it for a day: further calls may take their time. */
  async multiplyCounts(times: number): Promise<void> {
    await sql`update rate_limits
      set points = least(points::bigint * ${times}, 1000000000), expire = expire + 86400000
      where expire > extract(epoch from now()) * 1000`.execute(this.db);
  }

  /** How many sessions of the database wait for a lock that another one holds. */
  async waitingForLocks(): Promise<number> {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(this.db);
    return rows.length;
  }

  /** Limits per address must not make one test's calls count for another's. */
  #freshAddress(): string {
    this.#calls += 1;
    return `10.${(this.#calls >> 16) & 255}.${(this.#calls >> 8) & 255}.${this.#calls & 255}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#dispose();
  }
}

export function testConfig(databaseUrl: string, overrides: Partial<CloudConfig> = {}): CloudConfig {
  return {
    databaseUrl,
    host: '127.0.0.1',
    port: 0,
    url: undefined,
    secret: { used: CLOUD_SECRET, accepted: undefined },
    deviceActivation: 'automatic',
    trustedProxies: ['127.0.0.1'],
    mail: { kind: 'mailbox' },
    botCheck: true,
    confirmWithoutOrganization: false,
    serviceWorker: true,
    portalOrganizationId: null,
    mapTiles: null,
    keyRotationDays: 90,
    stripe: undefined,
    metricsFrom: ['127.0.0.1'],
    openTelemetry: undefined,
    ...overrides,
  };
}

export async function startTestCloud(
  overrides: Partial<CloudConfig> = {},
  logger: Logger = silentLogger,
  {
    database: given,
    ...options
  }: Pick<CloudOptions, 'internet' | 'hashCost' | 'lookIntervalMs' | 'presenceIntervalMs'> & {
    readonly database?: TestDatabase;
  } = {},
): Promise<TestCloud> {
  const database = given ?? (await cloudDatabase());
  const clock = new ManualClock(NOW);
  const config = testConfig(database.url, overrides);
  const cloud = await startCloud(config, {
    ...{ clock, logger, botCheckEffort: NO_EFFORT, hashCost: NO_HASH_COST },
    // Tests do it themselves; one of two at the same time does nothing.
    housekeepingAfterMs: 3_600_000,
    databaseOn: oneConnectionEach,
    ...options,
  });
  const { db, close } = openDatabase(config.databaseUrl, () => undefined, NO_TIMEOUTS);
  const dispose = async (): Promise<void> => {
    await cloud.stop();
    await close();
    if (given === undefined) await database.drop();
  };
  const hashing = new PasswordHashing(NO_HASH_COST);
  return new TestCloud(cloud.facts.url, clock, db, config.databaseUrl, dispose, hashing);
}

/** A database in which a cloud was before. */
export async function cloudDatabase(): Promise<TestDatabase> {
  stoppedCloud ??= sharedTemplate('stopped_cloud', startAndStopCloud);
  return createTestDatabase({ copyOf: await stoppedCloud });
}

/** The database that clouds of tests begin with: copying takes a tenth of the time of migrating. */
let stoppedCloud: Promise<TestDatabase> | undefined;

async function startAndStopCloud({ url }: TestDatabase): Promise<void> {
  const cloud = await startCloud(testConfig(url), { clock: new ManualClock(NOW), logger: silentLogger });
  await cloud.stop();
}
