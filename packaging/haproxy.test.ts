import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { reservedPorts, temporaryFolder } from '@heliograph/dev/testing';
import { HAS_HAPROXY } from '@heliograph/dev/testing/haproxy';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { expect, it, vi } from 'vitest';
import { CHECKOUT } from './checkout.ts';

const CONTAINERS = join(import.meta.dirname, 'containers');
const CHART_FILES = join(import.meta.dirname, 'helm/heliograph/files');
const OTHER_TLS = join(CHECKOUT, 'apps/proxy/test/fixtures/test-only-region');
/** How often the script compares the files, in seconds. */
const CHECK_S = '0.2';
const PROGRAMS = [process.env.PATH ?? '', '/usr/sbin'].join(delimiter);

it.each(['haproxy.cfg', 'run-haproxy'])('the chart has %s of the compose file', (name) => {
  expect(readFileSync(join(CHART_FILES, name), 'utf8')).toBe(readFileSync(join(CONTAINERS, name), 'utf8'));
});

/** The configuration with which a guide puts HAProxy before proxies. */
function configurationOf(guide: string): string {
  const text = readFileSync(join(CHECKOUT, 'docs', guide), 'utf8');
  const [, block = ''] = /^```\n(defaults\n.*?)^```$/ms.exec(text) ?? [];
  return block;
}

it.runIf(HAS_HAPROXY).each<[string, () => string, Record<string, string>]>([
  ['delivered', () => readFileSync(join(CONTAINERS, 'haproxy.cfg'), 'utf8'), {}],
  [
    'delivered, with a cloud,',
    () => readFileSync(join(CONTAINERS, 'haproxy.cfg'), 'utf8'),
    { HELIOGRAPH_CLOUD: '127.0.0.1:4000', HELIOGRAPH_CLOUD_HOST: 'cloud.example.org' },
  ],
  ["guide's", () => configurationOf('operating-a-proxy.md'), {}],
])('HAProxy finds no fault and no warning in the %s configuration', async (_name, configuration, env) => {
  await using folder = await temporaryFolder();
  mkdirSync(join(folder.path, 'certificates'));
  copyFileSync(TEST_TLS.certPath, join(folder.path, 'certificates/own.crt'));
  copyFileSync(TEST_TLS.keyPath, join(folder.path, 'certificates/own.key'));
  const file = join(folder.path, 'haproxy.cfg');
  const text = configuration();
  expect(text).toContain('defaults');
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-dW', '-f', file], {
    encoding: 'utf8',
    env: {
      PATH: PROGRAMS,
      HELIOGRAPH_CERTIFICATES: join(folder.path, 'certificates'),
      HELIOGRAPH_PROXY: '127.0.0.1:4001',
      ...env,
    },
  });
  expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: 'Configuration file is valid\n' });
});

it.runIf(HAS_HAPROXY)('HAProxy loads new certificates, and its stop waits for open connections', async () => {
  await using undo = new AsyncDisposableStack();
  const folder = undo.use(await temporaryFolder()).path;
  const install = (cert: string, key: string): void => {
    copyFileSync(cert, join(folder, 'own.crt'));
    copyFileSync(key, join(folder, 'own.key'));
  };
  install(TEST_TLS.certPath, TEST_TLS.keyPath);
  const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  undo.defer(() => void echo.close());
  const port = await reservedPorts();
  const script = join(CONTAINERS, 'run-haproxy');
  const child = spawn('/bin/sh', [script, join(CONTAINERS, 'haproxy.cfg'), CHECK_S], {
    stdio: 'ignore',
    env: {
      PATH: PROGRAMS,
      HELIOGRAPH_BIND: `127.0.0.1:${port}`,
      HELIOGRAPH_CERTIFICATES: folder,
      HELIOGRAPH_PROXY: `127.0.0.1:${(echo.address() as AddressInfo).port}`,
    },
  });
  const ended = once(child, 'exit');
  undo.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const open = async (): Promise<TLSSocket> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    undo.defer(() => void socket.destroy());
    await once(socket, 'secureConnect');
    return socket;
  };
  const shown = async (): Promise<string> => {
    const socket = await open();
    const { subjectaltname = '' } = socket.getPeerCertificate();
    socket.destroy();
    return subjectaltname;
  };

  await vi.waitFor(async () => expect(await shown()).toContain('localhost'), 10_000);
  const tunnel = await open();
  // The header of the PROXY protocol comes back before the first byte.
  await exchange(tunnel, 'before');
  install(`${OTHER_TLS}-cert.pem`, `${OTHER_TLS}-key.pem`);
  await vi.waitFor(async () => expect(await shown()).toContain('eu.example.org'), 30_000);
  await exchange(tunnel, 'after the certificate');

  child.kill('SIGTERM');
  await vi.waitFor(() => expect(shown()).rejects.toThrow('ECONNREFUSED'), 10_000);
  await exchange(tunnel, 'after the stop');
  expect(child.exitCode).toBe(null);
  tunnel.destroy();
  expect(await ended).toEqual([0, null]);
});

async function exchange(socket: Socket, text: string): Promise<void> {
  let received = '';
  const listen = (part: Buffer): void => {
    received += part;
  };
  socket.on('data', listen).write(text);
  await vi.waitFor(() => expect(received).toContain(text), 10_000);
  socket.off('data', listen);
}
