import { ManualClock, silentLogger, testMoment } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { temporaryStore } from '../../../../test/serve/api/test-device.ts';
import { BrokerRecords } from './broker-records.ts';

const clock = new ManualClock(testMoment('2026-07-15T12:00:00Z'));

it('a damaged list of retained topics counts as empty', () => {
  const { store, remove } = temporaryStore();
  const open = () =>
    new BrokerRecords({ store, current: { url: 'mqtt://broker' }, clock, logger: silentLogger });
  open().ledger.add(['a/state', 'b/state']);
  const text = store.get('mqtt_brokers') ?? '';
  expect(open().ledger.topics).toEqual(['a/state', 'b/state']);
  for (const damaged of [text.slice(0, -2), '{"a/state":1}', '[{"url":"mqtt://broker","topics":[1]}]']) {
    store.set('mqtt_brokers', damaged);
    const { ledger } = open();
    ledger.add(['c/state']);
    expect(ledger.others(new Map([['a/state', '']]))).toEqual(['c/state']);
  }
  remove();
});

it('the list of topics of an earlier release is of the broker that is configured', () => {
  const { store, remove } = temporaryStore();
  store.set('mqtt_retained', '["a/state"]');
  const open = (url: string | undefined) =>
    new BrokerRecords({
      store,
      current: url === undefined ? undefined : { url },
      clock,
      logger: silentLogger,
    });
  expect(open(undefined).former).toEqual([]);
  expect(open('mqtt://broker').ledger.topics).toEqual(['a/state']);
  expect(open('mqtt://other').ledger.topics).toEqual([]);
  expect(open('mqtt://other').former).toMatchObject([{ url: 'mqtt://broker', topics: ['a/state'] }]);
  expect(open('mqtt://broker').ledger.topics).toEqual(['a/state']);
  expect(open('mqtt://broker').former).toEqual([]);
  remove();
});

it('the credentials of a broker are kept until its topics are removed', () => {
  const { store, remove } = temporaryStore();
  const current = { url: 'mqtt://broker', username: 'sun', password: 'old' };
  const open = (address: typeof current | undefined) =>
    new BrokerRecords({ store, current: address, clock, logger: silentLogger });
  open(current).ledger.add(['a/state']);
  open({ ...current, password: 'new' });
  const later = open(undefined);
  expect(later.former).toMatchObject([{ ...current, password: 'new' }]);
  later.forget('mqtt://broker');
  expect(store.get('mqtt_brokers')).toBeUndefined();
  remove();
});
