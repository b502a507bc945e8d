import { Client, DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { isOutage } from './failures.ts';

function raised(code: string): DatabaseError {
  const error = new DatabaseError('raised by PostgreSQL', 0, 'error');
  error.code = code;
  return error;
}

it.each([
  ['the server is shutting down', raised('57P01'), true],
  ['the server is starting', raised('57P03'), true],
  ['too many connections', raised('53300'), true],
  ['the connection failed', raised('08006'), true],
  ['the statement is wrong', raised('42601'), false],
  ['a value is taken', raised('23505'), false],
  ['the statement took too long', raised('57014'), true],
  ['the disk is full', raised('53100'), true],
  ['a file cannot be read', raised('58030'), true],
  ['the database is for reading only', raised('25006'), true],
  ['two transactions wait for each other', raised('40P01'), true],
  ['the server is silent', new Error('Query read timeout'), true],
  ['the connection ended in a query', new Error('Connection terminated unexpectedly'), true],
  ['no connection came free', new Error('timeout exceeded when trying to connect'), true],
  ['a mistake of ours', new TypeError('x is not a function'), false],
  ['something thrown that is no error', 'outage', false],
])('isOutage recognises an outage when %s', (_what, error, expected) => {
  expect(isOutage(error)).toBe(expected);
});

it('isOutage is true when nothing listens', async () => {
  // Port 1 is reserved (tcpmux) and nothing serves it.
  const client = new Client({ connectionString: 'postgres://x@localhost:1/x' });
  const error = await client.connect().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(isOutage(error)).toBe(true);
});
