import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { double } from '../test/double.ts';
import { lenientArguments } from './tool-calls.ts';
import { createToolServer } from './tool-server.ts';

const INPUT = Type.Object({
  id: Type.Integer(),
  share: Type.Optional(Type.Number()),
  online: Type.Optional(Type.Boolean()),
  ids: Type.Optional(Type.Array(Type.Integer())),
  topics: Type.Optional(Type.Array(Type.String())),
  search: Type.Optional(Type.String()),
  place: Type.Optional(Type.Object({ floor: Type.Integer(), door: Type.Optional(Type.Integer()) })),
});

// As models and the programs around them write arguments, by public reports.
describe('lenientArguments', () => {
  it.each([
    [{ id: '1' }, { id: 1 }],
    [{ id: '-12' }, { id: -12 }],
    [{ share: '0.5' }, { share: 0.5 }],
    [{ online: 'true' }, { online: true }],
    [{ online: 'false' }, { online: false }],
    [{ ids: '[1, 2]' }, { ids: [1, 2] }],
    [{ ids: ['1', '2'] }, { ids: [1, 2] }],
    [{ ids: '["1"]' }, { ids: [1] }],
    [{ topics: 'total/*' }, { topics: ['total/*'] }],
    [{ topics: '["a","b"]' }, { topics: ['a', 'b'] }],
    [{ place: '{"floor":"2"}' }, { place: { floor: 2 } }],
    [{ id: 1, search: null, online: null }, { id: 1 }],
    [{ id: 1, share: '', online: '', ids: '', place: '', search: '' }, { id: 1 }],
    [{ id: 1, share: 'null', search: 'null', topics: ['null'], ids: [null] }, { id: 1 }],
    [{ place: { floor: 1, door: '' } }, { place: { floor: 1 } }],
    ['{"id":"7"}', { id: 7 }],
  ])('%j is read as %j', (given, read) => {
    expect(lenientArguments(INPUT, given)).toEqual(read);
  });

  it.each([
    { id: '12px' },
    { id: '' },
    { id: '1e3' },
    { id: '0x10' },
    { id: ' 1' },
    { id: null },
    { id: 'null' },
    { unknown: '' },
    { online: 'yes' },
    { online: 1 },
    { ids: 'one' },
    { ids: '{"a":1}' },
    { search: 7 },
    { search: '[1]' },
    { unknown: null },
    { topics: `["${'x'.repeat(5_000)}"]`.slice(0, 4_900) },
  ])('nothing is guessed of %j', (given) => {
    const read = lenientArguments(INPUT, given);
    expect(read).toEqual('topics' in given ? { topics: [given.topics] } : given);
  });

  it.each([
    ['a null byte', '{"a":"\\u0000"}'],
    ['half a character', '{"a":"\\ud800"}'],
    ['a field twice', '{"a":1,"a":2}'],
    ['a name of the language', '{"__proto__":{}}'],
    ['more depth than bodies have', `${'['.repeat(40)}${']'.repeat(40)}`],
  ])('a text of JSON with %s stays a text', (_what, text) => {
    expect(lenientArguments(INPUT, { place: text, ids: text })).toEqual({ place: text, ids: text });
  });

  it('names of the language are no arguments', () => {
    const given = JSON.parse('{"id":"1","__proto__":{"a":1},"constructor":null}');
    expect(JSON.stringify(lenientArguments(INPUT, given))).toBe(
      '{"id":1,"__proto__":{"a":1},"constructor":null}',
    );
  });
});

const server = createToolServer<readonly string[]>({
  name: 'test-server',
  version: '1',
  instructions: '',
  tools: [double],
  onFailure: (error) => {
    throw error;
  },
});

async function send(body: unknown): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json' };
  const answer = await server.handle({ method: 'POST', headers, body }, ['double']);
  return { status: answer.status, text: answer.body };
}

const message = (method: unknown, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
const call = (given: unknown) => message('tools/call', { name: 'double', arguments: given });

describe('messages as programs send them', () => {
  it.each([
    ['arguments as text', call('{"number":"3"}')],
    ['arguments with null for absent ones', call({ number: 3, unit: null, notes: null })],
    ['arguments with empty text for absent ones', call({ number: 3, unit: '', notes: '' })],
    ['arguments with the word null for absent ones', call({ number: 3, unit: 'null', notes: ['null'] })],
    ['a list as text', call({ number: 3, notes: '["ab"]' })],
    [
      'no meta data, as null',
      message('tools/call', { name: 'double', arguments: { number: 3 }, _meta: null }),
    ],
  ])('a call with %s runs', async (_what, body) => {
    expect(await send(body)).toMatchObject({ status: 200, text: expect.stringContaining('"doubled":6') });
  });

  it.each([
    ['as null', null],
    ['as an empty text', ''],
    ['left out', undefined],
  ])('a call whose arguments are %s names the missing argument', async (_how, given) => {
    expect((await send(call(given))).text).toContain('number is missing');
  });

  it.each([
    ['no parameters, as null', message('tools/list', null)],
    ['no cursor, as null', message('tools/list', { cursor: null })],
    ['no meta data, as null', message('tools/list', { _meta: null })],
  ])('the list of tools is answered to %s', async (_what, body) => {
    expect(await send(body)).toMatchObject({ status: 200, text: expect.stringContaining('"name":"double"') });
  });

  it('a batch of one is answered with a list', async () => {
    expect(JSON.parse((await send([message('ping')])).text)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it.each([
    ['initialize without parameters', message('initialize')],
    [
      'initialize with a number as revision',
      message('initialize', { protocolVersion: 5, capabilities: null }),
    ],
    ['a call without a name', message('tools/call', {})],
    ['a call of a number', message('tools/call', { name: 7 })],
    ['a call with a list as arguments', call([3])],
    ['a call with a word as arguments', call('three')],
    ['a list of tools with parameters as a list', message('tools/list', [])],
    ['a cursor that is a number', message('tools/list', { cursor: 7 })],
    ['a method that is a number', message(7)],
    ['a bad call within a batch', [message('tools/call', { name: 7 }), message('ping')]],
    ['an empty object', {}],
    ['an empty batch', []],
    ['a text', 'x'],
    ['null', null],
  ])('%s is refused shortly, and never as an internal error', async (_what, body) => {
    const { text } = await send(body);
    expect(text).toMatch(/-32600|-32602/);
    expect(text).not.toContain('-32603');
    expect(text.length).toBeLessThan(300);
  });
});
