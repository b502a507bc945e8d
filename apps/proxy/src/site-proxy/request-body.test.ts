import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { ClientResponse } from '../http/client.ts';
import { RequestBody } from './request-body.ts';

function forward(maxBytes = 1_000) {
  const req = Object.assign(new PassThrough({ highWaterMark: 1 }), { headers: {} });
  const calls = { onProgress: vi.fn(), onTooLong: vi.fn() };
  const body = new RequestBody(
    // A body reads no more of a request and of its answer.
    req as unknown as IncomingMessage,
    { writeContinue: vi.fn() } as unknown as ClientResponse,
    { maxBytes, ...calls },
  );
  return {
    req,
    calls,
    body,
    /** A part that the client sends. */
    send: async (part: string) => {
      req.write(part);
      await turn();
    },
  };
}

/** The part that can be read now. */
const readOf = (attempt: Readable): string => String(attempt.read() ?? '');

describe('the body of a request', () => {
  test('each part that is passed on is progress, and what comes after the end of the attempt is none', async () => {
    const { body, calls, send } = forward();
    const attempt = body.begin();
    await send('one');
    await send('two');
    expect(calls.onProgress).toHaveBeenCalledTimes(2);
    expect(readOf(attempt)).toBe('onetwo');
    attempt.destroy();
    await once(attempt, 'close');
    await send('three');
    expect(calls.onProgress).toHaveBeenCalledTimes(2);
  });

  test('the client is paused while the device takes no more, and goes on once it does', async () => {
    const { req, body, send } = forward(10_000_000);
    const attempt = body.begin();
    await send('x'.repeat(attempt.readableHighWaterMark));
    expect(req.isPaused()).toBe(true);
    readOf(attempt);
    await turn();
    expect(req.isPaused()).toBe(false);
  });

  test('the rest of a body is read and dropped once the attempt is over', async () => {
    const { req, body, calls, send } = forward(10_000_000);
    const attempt = body.begin();
    await send('x'.repeat(attempt.readableHighWaterMark));
    expect(req.isPaused()).toBe(true);
    attempt.destroy();
    await once(attempt, 'close');
    expect(req.isPaused()).toBe(false);
    await send('two');
    req.end();
    await once(req, 'end');
    expect(calls.onTooLong).not.toHaveBeenCalled();
  });

  test('a body that is too long is reported while it is sent, and not afterwards', async () => {
    const open = forward(4);
    const attempt = open.body.begin();
    await open.send('four');
    expect(open.calls.onTooLong).not.toHaveBeenCalled();
    await open.send('!');
    expect(open.calls.onTooLong).toHaveBeenCalledOnce();
    expect(readOf(attempt)).toBe('four');

    const closed = forward(4);
    const over = closed.body.begin();
    over.destroy();
    await once(over, 'close');
    await closed.send('five!');
    expect(closed.calls.onTooLong).not.toHaveBeenCalled();
  });

  test('a body that is sent again begins with its first part, and goes on with the rest', async () => {
    const { req, body, send } = forward();
    const first = body.begin();
    await send('one');
    first.destroy();
    await once(first, 'close');
    const second = text(body.begin());
    await send('two');
    req.end();
    expect(await second).toBe('onetwo');
  });

  test('a body that ended before it is sent again is ended there, too', async () => {
    const { req, body, send } = forward();
    const first = body.begin();
    await send('whole');
    req.end();
    expect(await text(first)).toBe('whole');
    expect(await text(body.begin())).toBe('whole');
  });

  test('a body of more than 16 KiB is not repeatable', async () => {
    const { body, send } = forward(1_000_000);
    body.begin().resume();
    await send('x'.repeat(16 * 1024));
    expect(body.isRepeatable).toBe(true);
    await send('!');
    expect(body.isRepeatable).toBe(false);
  });

  test('a body without a receiver is read to its end', async () => {
    const { req, body, send } = forward(200_000);
    const attempt = body.begin();
    await send('x'.repeat(100_000));
    expect(req.isPaused()).toBe(true);
    body.drop();
    req.end('y');
    await once(req, 'end');
    expect(attempt.destroyed).toBe(true);
  });
});
