import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import type { DeviceStream } from '../../test/device-stream.ts';
import { chunked, useOneSite } from '../../test/one-site.ts';
import { head, rawConnection } from '../../test/raw-request.ts';

const site = useOneSite({ limits: { answerMs: 600_000 } });
const impatient = useOneSite({ limits: { answerMs: 200 } });

describe('when one side goes away', () => {
  test('a client that hangs up cancels its request at the device', async () => {
    const request = site.nextRequest();
    const abort = new AbortController();
    const answer = site.send({ signal: abort.signal });
    const { stream } = await request;
    abort.abort();
    await expect(answer).rejects.toThrow();
    if (!stream.closed) await once(stream, 'close');
    expect(stream.isTakenBack).toBe(true);
  });

  test('a client that hangs up while it reads cancels its request at the device', async () => {
    const request = site.nextRequest();
    const abort = new AbortController();
    const pending = site.send({ signal: abort.signal });
    const { stream } = await request;
    stream.respond({ ':status': 200 });
    stream.write('part');
    await pending;
    abort.abort();
    await once(stream, 'close');
    expect(stream.isTakenBack).toBe(true);
  });

  test('a client that hangs up in the middle of its body never has the part taken for the whole', async () => {
    const request = site.nextRequest();
    const socket = await rawConnection(site.system.proxy.url);
    const start = head(
      'POST /api/v1/metrics HTTP/1.1',
      'Host: x',
      ...site.headerLines,
      'Transfer-Encoding: chunked',
    );
    socket.write(`${start}5\r\nvalue\r\n`);
    const { stream } = await request;
    const ended = vi.fn();
    stream.on('end', ended);
    expect(String((await once(stream, 'data'))[0])).toBe('value');
    socket.destroy();
    await once(stream, 'close');
    expect(stream.isTakenBack).toBe(true);
    expect(ended).not.toHaveBeenCalled();
  });

  test('every request of a device that dies gets 502 at once', async () => {
    const streams: DeviceStream[] = [];
    site.handle = (stream) => streams.push(stream);
    const answers = Array.from({ length: 20 }, () => site.send());
    const upload = site.send(
      chunked(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('x')) })),
    );
    await expect.poll(() => streams).toHaveLength(21);
    site.device.kill();
    for (const answer of await Promise.all([...answers, upload])) {
      expect(answer.status).toBe(502);
      expect(await answer.json()).toEqual({ error: expect.any(String) });
    }
    expect((await site.send()).status).toBe(503);
  });

  test('an answer that was begun is cut off when the device dies', async () => {
    const request = site.nextRequest();
    const pending = site.send();
    const { stream } = await request;
    stream.respond({ ':status': 200 });
    stream.write('half of it');
    const answer = await pending;
    site.device.kill();
    await expect(answer.text()).rejects.toThrow();
  });

  test('a device that never answers costs 504, and its other requests nothing', async () => {
    const request = impatient.nextRequest();
    const answer = await impatient.send();
    expect(answer.status).toBe(504);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
    const { stream } = await request;
    if (!stream.closed) await once(stream, 'close');
    impatient.handle = (next) => {
      next.respond({ ':status': 200 });
      next.end('still here');
    };
    // A busy machine may take longer than this site waits.
    await expect.poll(async () => (await impatient.send()).text()).toBe('still here');
  });
});
