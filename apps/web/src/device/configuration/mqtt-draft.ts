import type { DeviceConfigurationChange, MqttSettings } from '@heliograph/client';

/** The inputs about a broker. Empty texts were never entered. */
export interface MqttDraft {
  readonly isOn: boolean;
  readonly url: string;
  readonly username: string;
  /** Undefined leaves it unchanged; the device never shows it. */
  readonly password: string | undefined;
  readonly caFile: string;
  readonly allowWrites: boolean;
  readonly homeAssistant: boolean;
  readonly topicPrefix: string;
  readonly discoveryPrefix: string;
}

/** @param settings null where nothing is published */
export function draftOf(settings: MqttSettings | null): MqttDraft {
  return {
    isOn: settings !== null,
    url: settings?.url ?? '',
    username: settings?.username ?? '',
    password: undefined,
    caFile: settings?.ca_file ?? '',
    allowWrites: settings?.allow_writes ?? false,
    homeAssistant: settings?.home_assistant ?? true,
    topicPrefix: settings?.topic_prefix ?? '',
    discoveryPrefix: settings?.discovery_prefix ?? '',
  };
}

/** The change to send. Removing the broker removes all of its settings. */
export function changeOf(draft: MqttDraft): DeviceConfigurationChange {
  if (!draft.isOn) return { mqtt: null };
  return {
    mqtt: {
      url: draft.url.trim(),
      username: unlessEmpty(draft.username),
      ca_file: unlessEmpty(draft.caFile),
      allow_writes: draft.allowWrites,
      home_assistant: draft.homeAssistant,
      topic_prefix: unlessEmpty(draft.topicPrefix),
      discovery_prefix: unlessEmpty(draft.discoveryPrefix),
      ...(draft.password !== undefined && { password: draft.password === '' ? null : draft.password }),
    },
  };
}

function unlessEmpty(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed;
}
