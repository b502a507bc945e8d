import type { DatabaseSync } from 'node:sqlite';
import { createLogger } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from './database.ts';
import { KeyValueStore } from './key-value.ts';

const NUMBERS = Compile(Type.Array(Type.Number()));
const HASH = /^hash \d$/;

let db: DatabaseSync;
let copy: string | undefined;
let log: string[];
let accepted: string[];
let store: KeyValueStore;
beforeEach(() => {
  db = openTemporaryDatabase();
  copy = undefined;
  log = [];
  accepted = [];
  store = new KeyValueStore(db, {
    copied: () => copy,
    onAccept: (key, value) => accepted.push(`${key} ${value}`),
    logger: createLogger('device', 'info', { write: (line) => log.push(JSON.parse(line).msg) }),
  });
});
afterEach(() => db.close());

const RESTORED = 'a stored fact is damaged and restored from its copy';
const LOST = 'a stored fact is damaged and begins again';

const READS = {
  JSON: { read: () => store.json('a', NUMBERS, 'none'), whole: '[7]', value: [7], none: 'none' },
  text: { read: () => store.text('a', HASH), whole: 'hash 1', value: 'hash 1', none: undefined },
};

describe.each([
  ['JSON', '[7'],
  ['JSON', '["7"]'],
  ['text', 'hasl 1'],
] as const)('stored %s that is damaged to %s', (kind, damaged) => {
  const { read, whole, value, none } = READS[kind];

  it('a whole fact is read and accepted', () => {
    expect(read()).toEqual(none);
    store.set('a', whole);
    expect(read()).toEqual(value);
    expect([accepted, log]).toEqual([[`a ${whole}`], []]);
  });

  it('a damaged fact is that of its copy, from then on', () => {
    store.set('a', damaged);
    copy = whole;
    expect(read()).toEqual(value);
    expect([store.get('a'), accepted, log]).toEqual([whole, [], [RESTORED]]);
    expect(read()).toEqual(value);
    expect(log).toEqual([RESTORED]);
  });

  it.each([undefined, damaged])(
    'a damaged fact begins again where its copy is %s, which is logged once',
    (other) => {
      store.set('a', damaged);
      copy = other;
      expect([read(), read()]).toEqual([none, none]);
      expect([store.get('a'), accepted, log]).toEqual([damaged, [], [LOST]]);
    },
  );

  it('a damaged fact is that of its copy on a full disk, too', () => {
    store.set('a', damaged);
    copy = whole;
    db.exec(`CREATE TEMP TRIGGER full BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, 'full'); END`);
    expect(read()).toEqual(value);
    expect(store.get('a')).toBe(damaged);
  });
});

it('a fact that is absent is that of no copy', () => {
  copy = 'hash 1';
  expect(store.text('a', HASH)).toBeUndefined();
});
