import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../../../test/admin/cli/run-program.ts';

let folder: string;
let server: Server;
let port: number;
const received: { topic: string; message: string }[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'device-cli-'));
  server = createServer(async (request, response) => {
    const message = (await json(request)) as (typeof received)[number];
    if (message.topic === 'refused') return response.writeHead(403).end();
    received.push(message);
    return response.end('{}');
  });
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const run = (notifications: string) => {
  const file = join(folder, 'device.yaml');
  writeFileSync(file, `notifications: ${notifications}`);
  return runProgram(['notify', file]);
};

it('heliograph device notify sends a message to each receiver in its language', async () => {
  const { code, stdout } = await run(
    `[{ntfy: "http://127.0.0.1:${port}/home"}, {ntfy: "http://127.0.0.1:${port}/daheim", language: de}]`,
  );
  expect([code, stdout]).toEqual([
    0,
    `notifications[0]: 127.0.0.1:${port} took the message\nnotifications[1]: 127.0.0.1:${port} took the message`,
  ]);
  expect(received).toMatchObject([
    { topic: 'home', message: 'This is a test. Messages about alerts come here.' },
    { topic: 'daheim', message: 'Dies ist ein Test. Meldungen über Alarme kommen hier an.' },
  ]);
});

it('heliograph device notify prints why a receiver did not take the message, and goes on', async () => {
  received.length = 0;
  const { code, stdout, stderr } = await run(
    `[{ntfy: "http://127.0.0.1:${port}/refused"}, {smtp: "smtp://127.0.0.1:1", from: a@b.c, to: [d@e.f]}, {ntfy: "http://127.0.0.1:${port}/home"}]`,
  );
  expect(code).toBe(1);
  expect(stdout).toBe(`notifications[2]: 127.0.0.1:${port} took the message`);
  expect(stderr.split('\n')).toEqual([
    `heliograph device notify: notifications[0]: 127.0.0.1:${port} answers 403`,
    expect.stringMatching(/^heliograph device notify: notifications\[1\]: 127\.0\.0\.1:1: ESOCKET/),
  ]);
  expect(received).toHaveLength(1);
});

it('heliograph device notify names a file without receivers', async () => {
  const { code, stderr } = await run('[]');
  expect([code, stderr]).toEqual([1, expect.stringContaining('has no receivers')]);
});
