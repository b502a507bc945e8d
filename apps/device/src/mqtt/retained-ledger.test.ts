import { silentLogger } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { temporaryStore } from '../api/testing/test-device.ts';
import { RetainedLedger } from './retained-ledger.ts';

it('a damaged list of retained topics counts as empty', () => {
  const { store, remove } = temporaryStore();
  new RetainedLedger(store, silentLogger).add(['a/state', 'b/state']);
  const text = store.get('mqtt_retained') ?? '';
  expect(new RetainedLedger(store, silentLogger).others(new Map())).toEqual(['a/state', 'b/state']);
  for (const damaged of [text.slice(0, -2), '{"a/state":1}', '[1,"a/state"]']) {
    store.set('mqtt_retained', damaged);
    const ledger = new RetainedLedger(store, silentLogger);
    ledger.add(['c/state']);
    expect(ledger.others(new Map([['a/state', '']]))).toEqual(['c/state']);
  }
  remove();
});
