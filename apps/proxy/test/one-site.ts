import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { ProxyConfig } from '../src/config/config.ts';
import type { ProxyOptions } from '../src/proxy.ts';
import type { DeviceStream } from './device-stream.ts';
import { type SiteCredentials, siteHeaderLines } from './test-cloud.ts';
import type { DeviceRequestHeaders, StreamHandler, TestDevice } from './test-device.ts';
import { startTestSystem, type TestSystem } from './test-system.ts';

export interface DeviceRequest {
  readonly stream: DeviceStream;
  readonly headers: DeviceRequestHeaders;
}

/** One proxy and the device of site 1 for all tests of a file; each test sets the device's handler. */
export class OneSite {
  system!: TestSystem;
  device!: TestDevice;
  credentials!: SiteCredentials;
  /** Handles the next requests at the device. */
  handle: StreamHandler = () => undefined;

  async start(options: ProxyOptions, config: Partial<ProxyConfig>): Promise<void> {
    this.system = await startTestSystem(options, config);
    this.credentials = await this.system.cloud.authorize(1);
    await this.connectDevice();
  }

  async connectDevice(): Promise<void> {
    this.device = await this.system.connectDevice(1, (stream, headers) => this.handle(stream, headers));
  }

  /** A request of a client with good credentials. */
  send(init?: RequestInit, path = '/api/v1/metrics'): Promise<Response> {
    return this.system.fetch(path, this.credentials, init);
  }

  /** The header lines of good credentials, for requests that are written by hand. */
  get headerLines(): string[] {
    return siteHeaderLines(this.credentials);
  }

  /** The next request as the device sees it; the test answers it. */
  nextRequest(): Promise<DeviceRequest> {
    const { promise, resolve } = Promise.withResolvers<DeviceRequest>();
    this.handle = (stream, headers) => resolve({ stream, headers });
    return promise;
  }
}

/** Starts it before the tests of the file, ends it after them, and reconnects a device that a test killed. */
export function useOneSite(options: ProxyOptions, config: Partial<ProxyConfig> = {}): OneSite {
  const site = new OneSite();
  beforeAll(() => site.start(options, config));
  afterAll(() => site.system.stop());
  beforeEach(async () => {
    if (!site.device.closed) return;
    // As long as the cloud has the device that was killed, the wait for the next one ends before the proxy serves it.
    await expect.poll(() => site.system.sites()).not.toContain(1);
    await site.connectDevice();
  });
  return site;
}

/**
 * Writes until backpressure stops it: nothing was sent while a ping travelled to the proxy and back.
 *
 * @returns how many bytes went
 */
export async function writeUntilHeldBack(stream: DeviceStream, part: Buffer): Promise<number> {
  let sentBytes = 0;
  const fill = (): void => {
    while (stream.write(part)) sentBytes += part.length;
  };
  stream.on('drain', fill);
  fill();
  const held = async (): Promise<void> => {
    const before = sentBytes;
    await stream.pingProxy();
    expect(sentBytes).toBe(before);
  };
  await vi.waitFor(held, { timeout: 5_000 });
  return sentBytes;
}

/** An upload without a declared length. */
export function chunked(body: ReadableStream): RequestInit {
  return { method: 'POST', body, duplex: 'half' };
}
