import { setImmediate } from 'node:timers/promises';
import { ManualClock, silentLogger } from '@heliograph/kit';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { housePlant, RecordingWriter } from '../../../test/serve/api/plant.ts';
import { BrokerTopics } from './broker/broker-topics.ts';
import { ReplyPublisher } from './reply-publisher.ts';
import { SetRequests, type WriteDelegation } from './set-requests.ts';

const SETTING = 'inverter_1/max_charge_current';

const message = fc.record({
  topic: fc
    .oneof(fc.constant(SETTING), fc.constantFrom('total/pv_power', 'inverter_1/work_mode'), fc.string())
    .map((metric) => `solar_assistant/${metric}/set`),
  text: fc.oneof(fc.integer({ min: -5, max: 105 }).map(String), fc.string(), fc.constant('')),
  retained: fc.boolean(),
});

const OF_HOUSEHOLD: WriteDelegation = { author: () => undefined, suspended: () => undefined };

interface Rig {
  readonly requests: SetRequests;
  /** Over the connection that there is; `cut` ends it. */
  readonly connection: ReplyPublisher;
  readonly cut: () => void;
  readonly settings: RecordingWriter;
  readonly answers: readonly string[];
}

function rig(allowWrites = true, delegation: WriteDelegation = OF_HOUSEHOLD): Rig {
  const plant = housePlant();
  const settings = new RecordingWriter(plant);
  const answers: string[] = [];
  const requests = new SetRequests({
    topics: new BrokerTopics('solar_assistant'),
    allowWrites,
    delegation,
    broker: 'mqtt://192.168.1.5',
    settings,
    snapshots: plant.snapshots,
    clock: new ManualClock(0),
    logger: silentLogger,
  });
  const ended = new AbortController();
  const publish = async (text: string) => void answers.push(text);
  const connection = new ReplyPublisher(publish, ended.signal);
  return { requests, connection, cut: () => ended.abort(), settings, answers };
}

it('a write not begun when the connection ends is neither sent nor answered', async () => {
  const { requests, connection, cut, settings, answers } = rig();
  for (const text of ['20', '30'])
    requests.receive({ topic: `solar_assistant/${SETTING}/set`, text, retained: false }, connection);
  // One turn is enough for the first to be on its way, and none for the second.
  await Promise.resolve();
  cut();
  await setImmediate();
  expect(settings.writes.map(({ value }) => value)).toEqual(['20']);
  expect(answers).toEqual([]);
});

it('a message that comes again over the next connection is not written again', async () => {
  const { requests, connection, cut, settings } = rig();
  const again = { topic: `solar_assistant/${SETTING}/set`, text: '20', retained: false };
  requests.receive(again, connection);
  // The write is under way when the connection ends and the next one brings the message again.
  await Promise.resolve();
  cut();
  const answers: string[] = [];
  const next = new ReplyPublisher(async (text) => void answers.push(text), new AbortController().signal);
  requests.receive(again, next);
  await setImmediate();
  expect([settings.writes.length, answers]).toEqual([1, ['Saved']]);
});

it('a broker that takes no answers gets no more than a few', async () => {
  const { requests, settings } = rig(false);
  const given: string[] = [];
  const silent = new ReplyPublisher((text) => {
    given.push(text);
    return new Promise(() => {});
  }, new AbortController().signal);
  for (let i = 0; i < 10_000; i++) {
    requests.receive({ topic: `solar_assistant/${SETTING}/set`, text: String(i), retained: false }, silent);
  }
  await setImmediate();
  expect(given).toHaveLength(64);
  expect(settings.writes).toEqual([]);
});

it('a text that no setting takes is refused before it waits', async () => {
  const { requests, connection, settings, answers } = rig();
  requests.receive(
    { topic: `solar_assistant/${SETTING}/set`, text: '1'.repeat(1_000_000), retained: false },
    connection,
  );
  expect(answers).toEqual(['Error: no setting takes a text of 1000000 characters']);
  await setImmediate();
  expect(settings.writes).toEqual([]);
});

it('an answer is as long as Home Assistant shows', async () => {
  const { requests, connection, answers } = rig();
  requests.receive(
    { topic: `solar_assistant/${'x'.repeat(500)}/set`, text: '1', retained: false },
    connection,
  );
  await setImmediate();
  expect(answers).toEqual([expect.stringMatching(/^Error: x+…$/)]);
  expect(answers[0]).toHaveLength(255);
});

it('every message is answered once, and only valid ones are written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 16 }), fc.boolean(), async (messages, allowWrites) => {
      const { requests, connection, settings, answers } = rig(allowWrites);
      for (const each of messages) requests.receive(each, connection);
      await setImmediate();

      expect(answers).toHaveLength(messages.filter(({ text }) => text !== '').length);
      expect(answers.filter((answer) => !/^(Saved$|Error: .)/.test(answer))).toEqual([]);
      const wished = messages
        .filter(({ topic, text, retained }) => topic.includes(SETTING) && text !== '' && !retained)
        .map(({ text }) => text)
        .filter((text, index, texts) => text !== texts[index - 1])
        .filter((text) => Number(text) >= 0 && Number(text) <= 100);
      const written = settings.writes.map(({ value }) => value);
      expect(written).toEqual(allowWrites ? wished : []);
      expect(settings.writes.every(({ topic, author }) => topic === SETTING && author.via === 'mqtt')).toBe(
        true,
      );
    }),
  );
});

it('a write is recorded with the person who let the broker write, and refused once that right has ended', async () => {
  let reason: string | undefined;
  const delegation = { author: () => 'user 5', suspended: () => reason };
  const { requests, connection, settings, answers } = rig(true, delegation);
  requests.receive({ topic: `solar_assistant/${SETTING}/set`, text: '20', retained: false }, connection);
  await vi.waitFor(() => expect(answers).toEqual(['Saved']));
  reason = 'user 5 may not';
  requests.receive({ topic: `solar_assistant/${SETTING}/set`, text: '30', retained: false }, connection);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  expect(answers[1]).toBe(`Error: ${SETTING} was not written: user 5 may not`);
  expect(settings.writes.map(({ value, author }) => [value, author.name])).toEqual([
    ['20', 'user 5, by MQTT mqtt://192.168.1.5'],
  ]);
});
