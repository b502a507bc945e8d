import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { type Allowed, double } from '../test/double.ts';
import { createToolServer } from './tool-server.ts';

const ran: unknown[] = [];
beforeEach(() => void ran.splice(0));

const server = createToolServer<Allowed>({
  name: 'test-server',
  version: '1',
  instructions: '',
  tools: [
    {
      ...double,
      run: async (input) => {
        ran.push(input);
        return { doubled: 1, unit: '' };
      },
    },
  ],
  onFailure: () => undefined,
});

function call(given: unknown) {
  const params = { name: 'double', arguments: given };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return server.handle({ method: 'POST', headers: { 'content-type': 'application/json' }, body }, ['double']);
}

it('a tool never runs with arguments that break its schema, and the complaint is short', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (given) => {
      fc.pre(!('number' in given));
      const answer = await call(given);
      expect(answer.status).toBe(200);
      expect(answer.body.length).toBeLessThan(1_500);
    }),
    { numRuns: 100 },
  );
  expect(ran).toEqual([]);
  await call({ number: 1 });
  expect(ran).toEqual([{ number: 1 }]);
});

it.each<[string, unknown, boolean]>([
  ['nested deeply', JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), true],
  ['of many names', Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`a${i}`, 1])), true],
  ['a long list', { notes: Array(100_000).fill('abcd') }, true],
  ['a long text', { notes: ['a'.repeat(900_000)] }, true],
  ['as large as they may be', { notes: Array(1_900).fill('abcd') }, false],
])(
  'arguments that are %s are refused before validation if they exceed a limit',
  async (_what, given, isRefused) => {
    const answer = await call(given);
    expect(answer.status).toBe(isRefused ? 400 : 200);
    expect(answer.body.length).toBeLessThan(1_500);
  },
);
