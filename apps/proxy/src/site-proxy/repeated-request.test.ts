import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { DeviceStream } from '../../test/device-stream.ts';
import { chunked, useOneSite } from '../../test/one-site.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import type { StreamHandler } from '../../test/test-device.ts';

/** How much of a body is kept to be sent again, in bytes. */
const REPLAY_BUFFER_BYTES = 16 * 1024;

const site = useOneSite({ moveGraceMs: 1_000 });

const refuseUnprocessed = (stream: DeviceStream): void => stream.refuseUnread();

/** The first requests are refused unprocessed, the next one is handled. */
function refuseFirst(times: number, handle: StreamHandler): void {
  let requests = 0;
  site.handle = (stream, headers) => {
    if (++requests <= times) refuseUnprocessed(stream);
    else handle(stream, headers);
  };
}

const echo: StreamHandler = async (stream, headers) => {
  const body = await text(stream).catch(() => undefined);
  if (body === undefined || stream.destroyed) return;
  stream.respond({ ':status': 200 });
  stream.end(`${headers[':method']} ${headers[':path']} ${headers['x-own']} ${body}`);
};

describe('a request that the device refuses unprocessed', () => {
  test('a request without a body is sent again as it was', async () => {
    refuseFirst(1, echo);
    const answer = await site.send({ headers: { 'x-own': 'a' } }, '/api/again');
    expect(await answer.text()).toBe('GET /api/again a ');
  });

  test.each([1, REPLAY_BUFFER_BYTES])('a body of %i bytes is sent again whole', async (bytes) => {
    refuseFirst(1, echo);
    const answer = await site.send({ method: 'POST', body: 'x'.repeat(bytes), headers: { 'x-own': 'a' } });
    expect(await answer.text()).toBe(`POST /api/v1/metrics a ${'x'.repeat(bytes)}`);
  });

  test('a body beyond 16 KiB that has come is not sent again', async () => {
    let requests = 0;
    site.handle = (stream) => {
      requests++;
      let bytes = 0;
      stream.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > REPLAY_BUFFER_BYTES) refuseUnprocessed(stream);
      });
    };
    const answer = await site.send({ method: 'POST', body: 'x'.repeat(REPLAY_BUFFER_BYTES + 1) });
    expect(answer.status).toBe(502);
    expect(requests).toBe(1);
  });

  test('the rest of a body that is still coming goes after the part that is sent again', async () => {
    const streams: DeviceStream[] = [];
    site.handle = (stream) => streams.push(stream);
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const sending = site.send(chunked(readable));
    void writer.write(Buffer.from('one '));
    await expect.poll(() => streams).toHaveLength(1);
    const [first] = streams;
    if (first === undefined) throw new Error('no request came');
    await once(first, 'data');
    refuseUnprocessed(first);
    await expect.poll(() => streams).toHaveLength(2);
    const received = text(streams[1] ?? first);
    await writer.write(Buffer.from('two'));
    await writer.close();
    expect(await received).toBe('one two');
    streams[1]?.respond({ ':status': 201 }, { endStream: true });
    expect((await sending).status).toBe(201);
  });

  test('a request that the same device refuses twice fails', async () => {
    let requests = 0;
    site.handle = (stream) => {
      requests++;
      refuseUnprocessed(stream);
    };
    expect((await site.send()).status).toBe(502);
    expect(requests).toBe(2);
  });

  test('a request whose connection breaks may have been processed, and is not sent again', async () => {
    let requests = 0;
    site.handle = (stream) => {
      requests++;
      stream.reset();
    };
    expect((await site.send({ method: 'POST', body: 'x' })).status).toBe(502);
    expect(requests).toBe(1);
  });

  test('an answer that was begun is not asked for again', async () => {
    let requests = 0;
    site.handle = async (stream) => {
      requests++;
      stream.respond({ ':status': 200 });
      stream.write('half');
      await stream.pingProxy();
      stream.reset();
    };
    const answer = await site.send();
    await expect(answer.text()).rejects.toThrow();
    expect(requests).toBe(1);
  });
});

describe('a WebSocket that the device refuses unprocessed', () => {
  const open = (): WebSocket => {
    const url = `${site.system.proxy.url.replace('http', 'ws')}/api/websocket`;
    const socket = new WebSocket(url, { headers: siteHeaders(site.credentials) });
    socket.on('error', () => undefined);
    return socket;
  };

  test('a WebSocket that was refused once is opened at the next try', async () => {
    refuseFirst(1, (stream) => {
      stream.respond({ ':status': 200 });
      stream.write(Buffer.from([0x81, 2, 0x68, 0x69]));
    });
    const socket = open();
    expect(String((await once(socket, 'message'))[0])).toBe('hi');
    socket.terminate();
  });

  test('a WebSocket that the same device refuses twice fails', async () => {
    let requests = 0;
    site.handle = (stream) => {
      requests++;
      refuseUnprocessed(stream);
    };
    const [, res] = await once(open(), 'unexpected-response');
    expect(res.statusCode).toBe(502);
    expect(requests).toBe(2);
    res.destroy();
  });

  test('a WebSocket that is reset otherwise is not opened again', async () => {
    let requests = 0;
    site.handle = (stream) => {
      requests++;
      stream.reset();
    };
    const [, res] = await once(open(), 'unexpected-response');
    expect(res.statusCode).toBe(502);
    expect(requests).toBe(1);
    res.destroy();
  });
});
