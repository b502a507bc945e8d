import { equal } from 'node:assert/strict';
import { BrokerClient, startHomeBroker } from '../broker-client.ts';
import type { Step } from '../step.ts';
import { until } from '../until.ts';

const RESERVE = 'inverter_1/battery_reserve';

export const mqtt: Step = {
  name: 'mqtt',
  title: 'a broker of the home has the readings, Home Assistant finds them, and a setting is changed there',
  async run(live) {
    const broker = await startHomeBroker(live.folder);
    live.undo.defer(() => broker.stop());
    const client = live.undo.use(await BrokerClient.connect(broker.url));
    live.broker = client;
    await live.device().configuration.change({ mqtt: { url: broker.url, allow_writes: true } });
    await until(
      'the device is at the broker',
      () => client.latest.get('solar_assistant/status') === 'online',
    );
    await until('the broker has the power of the house', () =>
      Number.isFinite(Number(client.latest.get('solar_assistant/total/load_power/state'))),
    );
    const discovered = await until('Home Assistant finds the setting', () =>
      [...client.latest].find(
        ([topic, text]) =>
          topic.startsWith('homeassistant/') && text.includes(`solar_assistant/${RESERVE}/set`),
      ),
    );
    const { command_topic } = JSON.parse(discovered[1]) as { command_topic: string };
    await client.publish(command_topic, '35');
    await until(
      'the device answered the change',
      () => client.latest.get('solar_assistant/set/response_message/state') === 'Saved',
    );
    await until('the broker has the new value', () =>
      client.latest.get(`solar_assistant/${RESERVE}/state`)?.startsWith('35'),
    );
    equal(await live.device().value(RESERVE), '35');
  },
};
