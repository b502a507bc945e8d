import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { chunked, useOneSite } from '../../test/one-site.ts';
import { head, rawExchange } from '../../test/raw-request.ts';
import { DEFAULT_LIMITS } from '../config/limits.ts';

const site = useOneSite({});

describe('a body beyond 1 MiB', () => {
  test('a declared body beyond the limit is refused before it reaches the device', async () => {
    const before = site.device.seen.length;
    const answer = await site.send({ method: 'POST', body: Buffer.alloc(DEFAULT_LIMITS.bodyBytes + 1) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
    expect(site.device.seen).toHaveLength(before);
  });

  test('a streamed body beyond the limit is refused and cancelled at the device', async () => {
    const request = site.nextRequest();
    let sentBytes = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sentBytes += 65_536;
        controller.enqueue(Buffer.alloc(65_536));
      },
    });
    const answer = site.send(chunked(endless));
    const { stream } = await request;
    let receivedBytes = 0;
    stream.on('data', (part: Buffer) => {
      receivedBytes += part.length;
    });
    const closed = once(stream, 'close');
    expect((await answer).status).toBe(413);
    await closed;
    expect(stream.isTakenBack).toBe(true);
    expect(receivedBytes).toBeLessThanOrEqual(DEFAULT_LIMITS.bodyBytes);
    expect(sentBytes).toBeGreaterThan(DEFAULT_LIMITS.bodyBytes);
  });
});

describe('an ambiguous request', () => {
  test.each([
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
    ['two lengths', ['Content-Length: 4', 'Content-Length: 5']],
    ['a length that is not a number', ['Content-Length: 4x']],
    ['chunks that are not the last encoding', ['Transfer-Encoding: chunked, identity']],
    ['a space before a colon', ['Content-Length : 4']],
    ['a folded header', ['X-A: b', ' Content-Length: 4']],
    ['no host', ['X-Host: missing'], false],
  ])('a request with %s is refused and the connection closed', async (_name, extra, host = true) => {
    const before = site.device.seen.length;
    const first = head(
      'POST /api/v1/metrics HTTP/1.1',
      ...(host ? ['Host: x'] : []),
      ...site.headerLines,
      ...extra,
    );
    const smuggled = head('GET /api/v1/smuggled HTTP/1.1', 'Host: x', ...site.headerLines);
    expect(await rawExchange(site.system.proxy.url, `${first}0\r\n\r\n${smuggled}`)).toMatch(
      /^HTTP\/1.1 400 /,
    );
    expect(site.device.seen.slice(before).map((headers) => headers[':path'])).not.toContain(
      '/api/v1/smuggled',
    );
  });

  test('a head beyond 16 KiB is refused', async () => {
    const request = head('GET /api/v1/metrics HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(17_000)}`);
    expect(await rawExchange(site.system.proxy.url, request)).toMatch(/^HTTP\/1.1 431 /);
  });
});
