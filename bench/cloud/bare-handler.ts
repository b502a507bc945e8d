import { fastify } from 'fastify';
import pg from 'pg';
import type { Statement } from './statements.ts';

/** The peer: a Fastify handler that runs one statement and answers its rows, with nothing before it. */
process.once('message', async ({ databaseUrl, statement }: { databaseUrl: string; statement: Statement }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const app = fastify();
  app.get('/', async () => (await pool.query(statement.text, [...statement.values])).rows);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ url });
});
process.once('disconnect', () => process.kill(process.pid));
