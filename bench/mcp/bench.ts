import { Agent, request } from 'node:http';
import type { Bench } from '../bench.ts';
import { TOKENS } from '../cloud/fill.ts';
import { BenchServer } from '../cloud/server.ts';
import { quantile } from '../quantile.ts';
import { cpuSeconds } from '../usage.ts';

const ROWS = 1_000;
const ROUNDS = 7;
/** Requests of one measurement: processor time is counted in hundredths of a second. */
const REQUESTS = 400;
const WARM_UP = 1_500;
/** Most processor time of a call above that of the operation which calls the same service, in milliseconds. */
const LIMIT_MS = 2;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const AUTHORIZATION = { authorization: `Bearer ${TOKENS.employee}` };
const ROWS_OF_A_PAGE = 20;

const toolCall = (params: object, headers: Record<string, string> = {}): Call => ({
  method: 'POST',
  path: '/mcp',
  headers: { ...AUTHORIZATION, 'content-type': 'application/json', ...headers },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_users', arguments: { limit: ROWS_OF_A_PAGE }, ...params },
  }),
});

/** The tool asks the service for one row more, to know whether there is a next page. */
const OPERATION: Call = {
  method: 'GET',
  path: `/api/v1/users?limit=${ROWS_OF_A_PAGE + 1}`,
  headers: AUTHORIZATION,
};

const CALLS = {
  'a simple client': toolCall({}),
  '2026-07-28': toolCall(
    {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'list_users' },
  ),
};

export const bench: Bench = {
  description: 'the cloud: processor time of tools/call against the operation that calls the same service',
  async run() {
    await using server = await BenchServer.start();
    const { url, pid } = await server.cloud(ROWS);
    for (const call of [OPERATION, ...Object.values(CALLS)]) await cpuMsOf(pid, url, call, WARM_UP);
    const operation: number[] = [];
    const above: Record<string, number[]> = {};
    for (let round = 0; round < ROUNDS; round++) {
      const ownMs = await cpuMsOf(pid, url, OPERATION, REQUESTS);
      operation.push(ownMs);
      for (const [name, call] of Object.entries(CALLS)) {
        above[name] = [...(above[name] ?? []), (await cpuMsOf(pid, url, call, REQUESTS)) - ownMs];
      }
    }
    agent.destroy();
    console.log(`  GET /users: ${quantile(operation, 0.5).toFixed(2)} ms of processor time`);
    const results = Object.entries(above).map(([name, values]) => ({ name, ms: quantile(values, 0.5) }));
    for (const { name, ms } of results) {
      const verdict = ms <= LIMIT_MS ? 'kept' : 'MISSED';
      console.log(`${verdict}: tools/call of ${name}: ${ms.toFixed(2)} ms above it (at most ${LIMIT_MS})`);
    }
    return results.every(({ ms }) => ms <= LIMIT_MS);
  },
};

/** Processor time of one request, in milliseconds of one core: the mean over many sequential requests. */
async function cpuMsOf(pid: number, url: string, call: Call, requests: number): Promise<number> {
  const before = cpuSeconds(pid);
  for (let i = 0; i < requests; i++) await send(url, call);
  return ((cpuSeconds(pid) - before) * 1000) / requests;
}

function send(url: string, { method, path, headers, body }: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isFull = response.statusCode === 200 && text.split('@example.org').length > ROWS_OF_A_PAGE;
        if (isFull) resolve();
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sent.once('error', reject).end(body);
  });
}
