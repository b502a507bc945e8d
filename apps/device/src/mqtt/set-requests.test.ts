import { setImmediate } from 'node:timers/promises';
import { ManualClock, silentLogger } from '@heliograph/kit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { housePlant, RecordingWriter } from '../api/testing/plant.ts';
import { BrokerTopics } from './broker-topics.ts';
import { SetRequests } from './set-requests.ts';

const SETTING = 'inverter_1/max_charge_current';

const message = fc.record({
  topic: fc
    .oneof(fc.constant(SETTING), fc.constantFrom('total/pv_power', 'inverter_1/work_mode'), fc.string())
    .map((metric) => `solar_assistant/${metric}/set`),
  text: fc.oneof(fc.integer({ min: -5, max: 105 }).map(String), fc.string(), fc.constant('')),
  retained: fc.boolean(),
});

interface Rig {
  readonly requests: SetRequests;
  readonly settings: RecordingWriter;
  readonly answers: readonly string[];
}

function rig(allowWrites = true): Rig {
  const plant = housePlant();
  const settings = new RecordingWriter(plant);
  const answers: string[] = [];
  const requests = new SetRequests({
    topics: new BrokerTopics('solar_assistant'),
    allowWrites,
    settings,
    snapshots: plant.snapshots,
    answer: async (text) => {
      answers.push(text);
    },
    clock: new ManualClock(0),
    logger: silentLogger,
  });
  return { requests, settings, answers };
}

it('what has not begun when the connection ends is neither written nor answered', async () => {
  const { requests, settings, answers } = rig();
  for (const text of ['20', '30'])
    requests.receive({ topic: `solar_assistant/${SETTING}/set`, text, retained: false });
  // One turn is enough for the first to be on its way, and none for the second.
  await Promise.resolve();
  requests.close();
  await setImmediate();
  expect(settings.writes.map(({ value }) => value)).toEqual(['20']);
  expect(answers).toEqual(['Saved']);
});

it('whatever is published is answered once each, and only what may be written is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 16 }), fc.boolean(), async (messages, allowWrites) => {
      const { requests, settings, answers } = rig(allowWrites);
      for (const each of messages) requests.receive(each);
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
