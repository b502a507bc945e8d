import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDevice, type TestDevice } from '../../../../test/serve/api/test-device.ts';
import { testPages } from '../../../../test/serve/api/test-pages.ts';
import { Receivers } from '../../../alerts/notifications/receivers.ts';

let server: Server;
let host: string;
let device: TestDevice;
let receivers: Receivers;
let received: { topic: string; title: string; message: string }[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const message = (await json(request)) as (typeof received)[number];
    received.push(message);
    response.writeHead(message.topic === 'refused' ? 403 : 200).end('{}');
  });
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ntfy = { severity: 'warning', language: 'de', token: undefined } as const;
  receivers = new Receivers(
    [
      { ...ntfy, ntfy: `http://${host}/home` },
      { ...ntfy, ntfy: `http://${host}/refused` },
    ],
    () => 'Barn',
  );
  device = await startTestDevice({ pages: testPages(null, { receivers }) });
});
afterAll(async () => {
  await device.stop();
  server.close();
});

const PATH = '/api/v1/notification_receivers';

it('receivers are listed without their topics, and a test message to each has its outcome', async () => {
  const listed = await (await device.fetch(PATH)).json();
  expect(listed).toEqual([
    { index: 0, kind: 'ntfy', host, severity: 'warning', language: 'de' },
    { index: 1, kind: 'ntfy', host, severity: 'warning', language: 'de' },
  ]);
  const answer = await device.fetch(`${PATH}/test`, { method: 'POST' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject([
    { index: 0, error: null },
    { index: 1, error: `${host} answers 403` },
  ]);
  expect(received.map(({ topic }) => topic).toSorted()).toEqual(['home', 'refused']);
  expect(received[0]).toMatchObject({
    title: 'Barn',
    message: 'Dies ist ein Test. Meldungen über Alarme kommen hier an.',
  });
});

it('callers that ask for a test at the same time share one', async () => {
  received = [];
  await Promise.all([receivers.test(), receivers.test()]);
  expect(received).toHaveLength(2);
});

it('a test message needs the password of the device', async () => {
  received = [];
  const refused = await fetch(`${device.api.url}${PATH}/test`, { method: 'POST' });
  expect(refused.status).toBe(401);
  expect(received).toEqual([]);
});
