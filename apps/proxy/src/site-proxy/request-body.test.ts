import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { ClientHttp2Stream } from 'node:http2';
import { Duplex, PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { ClientResponse } from '../http/client.ts';
import { RequestBody } from './request-body.ts';

/** A stream to a device that takes one part at a time. */
class SlowStream extends Duplex {
  readonly taken: string[] = [];
  #take: (() => void) | undefined;

  constructor() {
    super({ writableHighWaterMark: 1 });
    this.on('error', () => undefined);
  }

  override _read(): void {
    // The device answers nothing.
  }

  override _write(part: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(String(part));
    this.#take = done;
  }

  /** Takes the part that waits. */
  takePart(): void {
    const take = this.#take;
    this.#take = undefined;
    take?.();
  }
}

function forward(maxBytes = 1_000) {
  const req = Object.assign(new PassThrough(), { headers: {} });
  const first = new SlowStream();
  const calls = { onProgress: vi.fn(), onTooLong: vi.fn() };
  const body = new RequestBody(
    req as unknown as IncomingMessage,
    { writeContinue: vi.fn() } as unknown as ClientResponse,
    first as unknown as ClientHttp2Stream,
    { maxBytes, ...calls },
  );
  return {
    req,
    first,
    calls,
    body,
    resendTo: (stream: SlowStream) => body.resendTo(stream as unknown as ClientHttp2Stream),
    /** A part that the client sends. */
    send: async (part: string) => {
      req.write(part);
      await turn();
    },
  };
}

describe('the body of a request', () => {
  test('each part that is passed on is progress, and what comes after the end of the stream is none', async () => {
    const { first, calls, send } = forward();
    await send('one');
    first.takePart();
    await send('two');
    expect(calls.onProgress).toHaveBeenCalledTimes(2);
    first.destroy();
    await once(first, 'close');
    await send('three');
    expect(calls.onProgress).toHaveBeenCalledTimes(2);
    expect(first.taken).toEqual(['one', 'two']);
  });

  test('the client is paused while the device takes no more, and goes on once it does', async () => {
    const { req, first, send } = forward();
    await send('one');
    expect(req.isPaused()).toBe(true);
    await send('two');
    expect(first.taken).toEqual(['one']);
    first.takePart();
    await vi.waitFor(() => expect(first.taken).toEqual(['one', 'two']));
  });

  test('the rest of a body is read and dropped once the stream has closed', async () => {
    const { req, first, calls, send } = forward();
    await send('one');
    expect(req.isPaused()).toBe(true);
    first.destroy();
    await once(first, 'close');
    expect(req.isPaused()).toBe(false);
    await send('two');
    req.end();
    await once(req, 'end');
    expect([first.taken, calls.onTooLong.mock.calls]).toEqual([['one'], []]);
  });

  test('a body that is too long is reported while the stream is open, and not after its end', async () => {
    const open = forward(4);
    await open.send('four');
    open.first.takePart();
    expect(open.calls.onTooLong).not.toHaveBeenCalled();
    await open.send('!');
    expect(open.calls.onTooLong).toHaveBeenCalledOnce();
    expect(open.first.taken).toEqual(['four']);

    const closed = forward(4);
    closed.first.destroy();
    await once(closed.first, 'close');
    await closed.send('five!');
    expect(closed.calls.onTooLong).not.toHaveBeenCalled();
  });

  test('a body that is sent again has its end, and the pace of the new stream', async () => {
    const { req, first, resendTo, send } = forward();
    await send('one');
    first.destroy();
    await once(first, 'close');
    const second = new SlowStream();
    resendTo(second);
    expect(second.taken).toEqual(['one']);
    await send('two');
    expect(req.isPaused()).toBe(true);
    second.takePart();
    await vi.waitFor(() => expect(second.taken).toEqual(['one', 'two']));
    expect(req.isPaused()).toBe(true);
    second.takePart();
    await vi.waitFor(() => expect(req.isPaused()).toBe(false));
    req.end();
    await once(second, 'finish');
  });

  test('a body that ended before it is sent again is ended there, too', async () => {
    const { req, first, resendTo, send } = forward();
    await send('whole');
    first.takePart();
    req.end();
    await once(req, 'end');
    expect(first.writableEnded).toBe(true);
    const second = new SlowStream();
    resendTo(second);
    expect([second.taken, second.writableEnded]).toEqual([['whole'], true]);
  });

  test('the end of a body whose stream has closed ends nothing', async () => {
    const { req, first } = forward();
    first.destroy();
    await once(first, 'close');
    const end = vi.spyOn(first, 'end');
    req.end();
    req.resume();
    await once(req, 'end');
    expect(end).not.toHaveBeenCalled();
  });
});
