import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { ConfigError, createLogger, ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REGION_TLS } from '../../test/region-tls.ts';
import { startTestSystem, type TestSystem, testConfig } from '../../test/test-system.ts';
import { type ProxyOptions, startProxy } from '../proxy.ts';

const OWN = fingerprintOf(TEST_TLS.cert);
const REGION = fingerprintOf(REGION_TLS.cert);

let system: TestSystem;
let folder: string;
let tls: { certPath: string; keyPath: string };
let log: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  tls = { certPath: join(folder, 'cert.pem'), keyPath: join(folder, 'key.pem') };
  await use(TEST_TLS);
  log = [];
});
afterEach(async () => {
  await system.stop();
  await rm(folder, { recursive: true });
});

function start(regionTls?: typeof tls, options: ProxyOptions = {}): Promise<TestSystem> {
  return startTestSystem({ ...loggedOptions(), ...options }, { tls, regionTls });
}

/** The messages of the log, with their reasons, go to `log`. */
function loggedOptions(): ProxyOptions {
  const write = (line: string): void => {
    const { msg, reason } = JSON.parse(line);
    log.push(reason === undefined ? msg : `${msg}: ${reason}`);
  };
  return { logger: createLogger('proxy', 'info', { write }), certificateIntervalMs: 20 };
}

/** Puts a pair where the proxy looks. */
async function use({ certPath, keyPath }: typeof tls): Promise<void> {
  await put(tls.keyPath, await readFile(keyPath));
  await put(tls.certPath, await readFile(certPath));
}

/** Replaces a file atomically. */
async function put(path: string, content: Buffer | string): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}

function handshake(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { hostname, port } = new URL(system.proxy.url);
  // The tests verify the peer themselves.
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false, ...options });
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Fingerprint of the certificate that is shown to who asks for a name. */
async function shownTo(servername?: string): Promise<string> {
  const socket = await handshake(servername === undefined ? {} : { servername });
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

function fingerprintOf(pem: Buffer): string {
  return new X509Certificate(pem).fingerprint256;
}

describe('a proxy with a certificate for its region', () => {
  test.each([
    [undefined, OWN],
    ['localhost', OWN],
    ['home.eu.example.org', REGION],
    ['HOME.EU.example.org', REGION],
    ['a.home.eu.example.org', OWN],
    ['eu.example.org', OWN],
    ['nobody.example', OWN],
    ['x'.repeat(200), OWN],
  ])('a client that requests %s gets the matching certificate', async (name, expected) => {
    system = await start(REGION_TLS);
    expect(await shownTo(name)).toBe(expected);
  });
});

describe('a certificate that changes', () => {
  test('a new certificate applies to new connections, and open ones continue', async () => {
    system = await start();
    const open = await handshake();
    await use(REGION_TLS);
    await expect.poll(() => shownTo()).toBe(REGION);
    expect(await shownTo('localhost')).toBe(REGION);
    open.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String(await new Promise((resolve) => open.once('data', resolve)))).toContain('200 OK');
    open.destroy();
  });

  test.each<[string, () => Promise<unknown>]>([
    ['does not fit its key', () => put(tls.certPath, REGION_TLS.cert)],
    ['is not one', () => put(tls.certPath, 'not a certificate')],
    ['is empty', () => put(tls.certPath, '')],
    ['is gone', () => rm(tls.keyPath)],
  ])(
    'a certificate that changes and %s is logged once, keeps the old one, and is loaded once valid',
    async (_name, spoil) => {
      system = await start();
      const complaints = (): string[] => log.filter((line) => line.includes('cannot be read again'));
      await spoil();
      await expect.poll(complaints).toHaveLength(1);
      for (let i = 0; i < 5; i++) expect(await shownTo()).toBe(OWN);
      expect(complaints()).toHaveLength(1);
      await use(REGION_TLS);
      await expect.poll(() => shownTo()).toBe(REGION);
    },
  );

  test('SIGHUP reloads the certificate', async () => {
    system = await start();
    process.emit('SIGHUP');
    await expect.poll(() => log).toContain('the certificate was read again');
  });
});

describe('a certificate that clients would not accept', () => {
  // TEST_TLS is valid from 2026-11-20T20:11Z to 2126-10-27T20:11Z, REGION_TLS for the same time a day later.
  const at = (time: string) => ({ clock: new ManualClock(Date.parse(time)) });
  /** Without those of the moment in which one of the two files is new. */
  const refusals = (): string[] =>
    log.filter((line) => line.includes('cannot be read again') && !line.includes('key values mismatch'));

  test('an expired certificate does not replace one that is valid', async () => {
    await use(REGION_TLS);
    system = await start(undefined, at('2126-10-28T00:00:00Z'));
    await use(TEST_TLS);
    await expect
      .poll(refusals)
      .toEqual(['the certificate cannot be read again; the old one stays: it expired on 2126-10-27']);
    expect(await shownTo()).toBe(REGION);
    process.emit('SIGHUP');
    await expect.poll(refusals).toHaveLength(2);
    expect(await shownTo()).toBe(REGION);
  });

  test('a certificate that is not valid yet replaces the old one once it is', async () => {
    const { clock } = at('2026-11-21T00:00:00Z');
    system = await start(undefined, { clock });
    await use(REGION_TLS);
    await expect
      .poll(refusals)
      .toEqual([
        'the certificate cannot be read again; the old one stays: it is not valid before 2026-11-21',
      ]);
    expect(await shownTo()).toBe(OWN);
    clock.jump(Date.parse('2026-11-22T00:00:00Z'));
    await expect.poll(() => shownTo()).toBe(REGION);
    expect(refusals()).toHaveLength(1);
  });

  test('a certificate for another name does not replace one for the right name', async () => {
    await use(REGION_TLS);
    system = await startTestSystem(loggedOptions(), {
      tls: TEST_TLS,
      regionTls: tls,
      regionDomain: 'eu.example.org',
    });
    await use(TEST_TLS);
    await expect
      .poll(refusals)
      .toEqual([
        'the certificate cannot be read again; the old one stays: it is not for site.eu.example.org',
      ]);
    expect(await shownTo('home.eu.example.org')).toBe(REGION);
  });

  test('an expiry is warned of once a day, from 21 days before', async () => {
    const { clock } = at('2126-10-05T00:00:00Z');
    system = await start(undefined, { clock });
    const warnings = (): string[] => log.filter((line) => line.startsWith('The certificate'));
    const readiness = async () => {
      const answer = await fetchInsecure('/readyz');
      return {
        status: answer.status,
        certificate: answer.body.checks.find(({ name }) => name === 'certificate'),
      };
    };
    expect(await readiness()).toMatchObject({ certificate: { status: 'ok' } });
    expect(warnings()).toEqual([]);
    clock.jump(Date.parse('2126-10-10T00:00:00Z'));
    const near = 'The certificate expires in 17 days, on 2126-10-27';
    await expect.poll(warnings).toEqual([near]);
    expect(await readiness()).toEqual({
      status: 200,
      certificate: { name: 'certificate', status: 'warning', detail: near },
    });
    clock.jump(Date.parse('2126-10-11T00:00:00Z'));
    await expect.poll(warnings).toEqual([near, 'The certificate expires in 16 days, on 2126-10-27']);
    clock.jump(Date.parse('2126-10-28T00:00:00Z'));
    await expect.poll(() => warnings().at(-1)).toBe('The certificate: it expired on 2126-10-27');
    expect(await readiness()).toMatchObject({ status: 503, certificate: { status: 'failed' } });
  });
});

interface Readiness {
  readonly status: number;
  readonly body: { readonly checks: readonly { readonly name: string }[] };
}

/** A request over a connection whose certificate is not verified. */
async function fetchInsecure(path: string): Promise<Readiness> {
  const socket = await handshake({ ALPNProtocols: ['http/1.1'] });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

describe('TLS', () => {
  test.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1', 'h2'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [undefined, false],
  ])('a client that speaks %s negotiates %s', async (ALPNProtocols, expected) => {
    system = await start();
    const socket = await handshake(ALPNProtocols === undefined ? {} : { ALPNProtocols });
    expect(socket.alpnProtocol).toBe(expected);
    socket.destroy();
  });

  test('TLS is refused for old versions and unknown protocols', async () => {
    system = await start();
    await expect(handshake({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' })).rejects.toThrow();
    await expect(handshake({ ALPNProtocols: ['imap'] })).rejects.toThrow();
    await expect(shownTo()).resolves.toBe(OWN);
  });

  test('a TLS session can be resumed', async () => {
    system = await start();
    const first = await handshake({ ALPNProtocols: ['http/1.1'] });
    first.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const session = await new Promise<Buffer>((resolve) => first.once('session', resolve));
    first.destroy();
    const second = await handshake({ session, ALPNProtocols: ['http/1.1'] });
    expect(second.isSessionReused()).toBe(true);
    second.destroy();
  });

  test('a proxy without a usable certificate does not start', async () => {
    system = await startTestSystem();
    await writeFile(tls.keyPath, 'not a key');
    const failure = await startProxy({ ...testConfig(system.cloud.url), tls }).catch((error) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure.message).toContain(tls.keyPath);
  });
});
