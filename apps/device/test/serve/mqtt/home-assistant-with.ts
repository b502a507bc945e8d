import { BrokerTopics } from '../../../src/serve/mqtt/broker/broker-topics.ts';
import { HomeAssistant, type HomeAssistantOptions } from '../../../src/serve/mqtt/home-assistant.ts';

/** The announcements of the device `abc`, of which every setting is writable. */
export function homeAssistantWith(options: Partial<HomeAssistantOptions> = {}): HomeAssistant {
  return new HomeAssistant({
    topics: new BrokerTopics('solar_assistant'),
    topicPrefix: 'solar_assistant',
    discoveryPrefix: 'homeassistant',
    uid: 'abc',
    softwareVersion: '2026-11-20',
    isWritable: () => true,
    ...options,
  });
}
