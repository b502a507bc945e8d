import type { MqttSettings } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { changeOf, draftOf } from './mqtt-draft.ts';

const SETTINGS: MqttSettings = {
  url: 'mqtts://broker.home:8883',
  ca_file: '/etc/ssl/home.pem',
  username: 'solar',
  has_password: true,
  allow_writes: true,
  home_assistant: false,
  topic_prefix: 'roof',
  discovery_prefix: 'ha',
};

describe('changeOf', () => {
  it('an untouched draft sends the former settings and no password', () => {
    const { has_password: _, ...expected } = SETTINGS;
    expect(changeOf(draftOf(SETTINGS))).toEqual({ mqtt: expected });
  });

  it('switching MQTT off removes the broker as a whole', () => {
    expect(changeOf({ ...draftOf(SETTINGS), isOn: false, password: 'typed' })).toEqual({ mqtt: null });
  });

  it('empty inputs are sent as null', () => {
    const draft = { ...draftOf(null), isOn: true, url: ' mqtt://192.168.1.5 ', username: ' ' };
    expect(changeOf(draft)).toEqual({
      mqtt: {
        url: 'mqtt://192.168.1.5',
        username: null,
        ca_file: null,
        allow_writes: false,
        home_assistant: true,
        topic_prefix: null,
        discovery_prefix: null,
      },
    });
  });

  it.each([
    ['a new password', 'secret', 'secret'],
    ['spaces in it', ' s ', ' s '],
    ['its removal', '', null],
  ])('a draft sends %s', (_what, password, sent) => {
    expect(changeOf({ ...draftOf(SETTINGS), password }).mqtt).toMatchObject({ password: sent });
  });
});
