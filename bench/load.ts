import { createRequire } from 'node:module';
import type autocannonModule from 'autocannon';
import { quantile } from './quantile.ts';

/** One measurement: as many requests as the connections can carry for a while. */
export interface LoadOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Of all connections together; left out, as many as they can carry. */
  readonly ratePerSecond?: number;
  readonly durationS: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Requests that were answered with 2xx. */
  readonly answered: number;
  /** Time to answer, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Requests that were not answered with 2xx. */
  readonly failed: number;
}

// autocannon is a CommonJS function with properties, which its types do not say.
const autocannon: typeof autocannonModule = createRequire(import.meta.url)('autocannon');

/** autocannon's own percentiles are whole milliseconds, too coarse here, so every answer's time is recorded. */
async function measure({
  url,
  headers,
  connections,
  ratePerSecond,
  durationS,
}: LoadOrder): Promise<LoadResult> {
  const timesMs: number[] = [];
  const result = await new Promise<autocannonModule.Result>((resolve, reject) => {
    const rate = ratePerSecond === undefined ? {} : { overallRate: ratePerSecond };
    const options = { url, headers: { ...headers }, connections, duration: durationS, ...rate };
    const run = autocannon(options, (error, done) => (error === null ? resolve(done) : reject(error)));
    run.on('response', (_client, _status, _bytes, timeMs) => timesMs.push(timeMs));
  });
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    answered: result['2xx'],
    p50Ms: quantile(timesMs, 0.5),
    p99Ms: quantile(timesMs, 0.99),
    failed: result.non2xx + result.errors + result.timeouts,
  };
}

process.once('message', async (order: LoadOrder) => {
  process.send?.(await measure(order));
  process.disconnect();
});
