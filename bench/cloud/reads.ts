import { join } from 'node:path';
import { startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../load.ts';
import { printTable, rowOf } from '../report.ts';
import { TOKENS } from './fill.ts';
import type { BenchServer, FilledCloud } from './server.ts';
import { type Statement, statementsOf } from './statements.ts';

const CONNECTIONS = 16;
const ROUNDS = 9;
const ROUND_S = 1;
const WARM_UP_S = 5;
/** The least that the cloud may reach of the bare handler's requests per second. */
const FLOOR = 0.6;
const MAX_QUERIES = 3;

const PATH = '/api/v1/sites?limit=20';
const HEADERS = { authorization: `Bearer ${TOKENS.employee}` };

/** `GET /sites`, 20 rows for an organization of 50, against a bare handler with the same SQL and no auth. */
export async function benchReads(server: BenchServer, cloud: FilledCloud): Promise<boolean> {
  const statements = await statementsOf(
    server,
    (on) => server.logStatements(on),
    async () => {
      const answer = await fetch(cloud.url + PATH, { headers: HEADERS });
      const rows = (await answer.json()) as unknown[];
      if (answer.status !== 200 || rows.length !== 20)
        throw new Error(`${answer.status}, ${rows.length} rows`);
    },
  );
  const bare = await startChild<{ url: string }>(join(import.meta.dirname, 'bare-handler.ts'), {
    order: { databaseUrl: cloud.databaseUrl, statement: listOf(statements) },
  });
  try {
    const routes = {
      bare: { url: `${bare.message.url}/`, headers: {} },
      cloud: { url: cloud.url + PATH, headers: HEADERS },
    };
    const results: Record<keyof typeof routes, LoadResult[]> = { bare: [], cloud: [] };
    for (const target of Object.values(routes)) await load({ ...target, durationS: WARM_UP_S });
    for (let round = 0; round < ROUNDS; round++) {
      results.bare.push(await load({ ...routes.bare, durationS: ROUND_S }));
      results.cloud.push(await load({ ...routes.cloud, durationS: ROUND_S }));
    }
    const rows = {
      'bare handler': rowOf(results.bare, results.bare),
      'our cloud': rowOf(results.cloud, results.bare),
    };
    printTable('GET /sites', rows);
    const { share } = rows['our cloud'];
    const isWithinLimit = share >= FLOOR && statements.length <= MAX_QUERIES;
    console.log(
      `${isWithinLimit ? 'kept' : 'MISSED'}: ${share.toFixed(2)} of the bare handler (floor ${FLOOR}), ` +
        `${statements.length} queries a request (at most ${MAX_QUERIES})\n`,
    );
    return isWithinLimit;
  } finally {
    bare.process.disconnect();
  }
}

function listOf(statements: readonly Statement[]): Statement {
  const list = statements.find(({ text }) => /\bfrom "sites"/.test(text));
  if (list === undefined)
    throw new Error(`No statement reads sites: ${statements.map(({ text }) => text).join('\n')}`);
  return list;
}

async function load(target: Pick<LoadOrder, 'url' | 'headers' | 'durationS'>): Promise<LoadResult> {
  const order: LoadOrder = { ...target, connections: CONNECTIONS };
  const { message } = await startChild<LoadResult>(join(import.meta.dirname, '../load.ts'), { order });
  if (message.failed > 0) throw new Error(`${message.failed} requests to ${target.url} failed`);
  return message;
}
