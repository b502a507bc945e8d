import { Agent, request } from 'node:http';
import { quantile } from '../quantile.ts';

/** Codes to be exchanged for tokens, each with the form that does it. */
export interface ExchangeOrder {
  /** The token endpoint. */
  readonly url: string;
  readonly forms: readonly string[];
  readonly concurrency: number;
}

export interface ExchangeResult {
  readonly requestsPerSecond: number;
  /** Time to answer, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function exchange({ url, forms, concurrency }: ExchangeOrder): Promise<ExchangeResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const left = [...forms];
  const timesMs: number[] = [];
  const start = performance.now();
  const worker = async (): Promise<void> => {
    for (let form = left.pop(); form !== undefined; form = left.pop()) {
      const sent = performance.now();
      await post(url, agent, form);
      timesMs.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return {
    requestsPerSecond: forms.length / seconds,
    p50Ms: quantile(timesMs, 0.5),
    p99Ms: quantile(timesMs, 0.99),
  };
}

function post(url: string, agent: Agent, form: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(form),
    };
    const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200 && text.includes('"id_token"')) resolve();
        else reject(new Error(`${url} answers ${answer.statusCode} ${text}`));
      });
    });
    sent.once('error', reject);
    sent.end(form);
  });
}

process.once('message', async (order: ExchangeOrder) => {
  process.send?.(await exchange(order));
  process.disconnect();
});
