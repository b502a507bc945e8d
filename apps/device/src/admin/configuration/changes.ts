import type { DeviceConfigurationChange } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import type { ConfigFile } from '../../config/config-file.ts';
import type { ConfigChange } from '../../config/edit-config.ts';
import { connectionChanges } from './connection-changes.ts';

/**
 * The changes of the configuration file that a request makes.
 *
 * @param now the file's current content
 * @throws ValidationError when the password of the broker would go to another one
 */
export function changesOf(now: ConfigFile, change: DeviceConfigurationChange): readonly ConfigChange[] {
  const { connections, history, mqtt, ...plain } = change;
  requirePassword(now.mqtt, mqtt);
  return [
    ...entryChanges([], now, plain),
    ...sectionChanges('history', now.history, history),
    ...sectionChanges('mqtt', now.mqtt, mqtt),
    ...(connections === undefined ? [] : connectionChanges(now.connections ?? [], connections)),
  ];
}

type Values = Readonly<Record<string, unknown>>;

/** A section is written whole where there is none: nothing can be put into what is not there. */
function sectionChanges(
  name: string,
  now: Values | undefined,
  change: Values | null | undefined,
): readonly ConfigChange[] {
  if (change === undefined) return [];
  if (change === null) return now === undefined ? [] : [{ path: [name], value: undefined }];
  if (now !== undefined) return entryChanges([name], now, change);
  const values = Object.entries(change).filter(([, value]) => value !== undefined && value !== null);
  return values.length === 0 ? [] : [{ path: [name], value: Object.fromEntries(values) }];
}

function entryChanges(path: ConfigChange['path'], now: object, change: Values): readonly ConfigChange[] {
  return Object.entries(change).flatMap(([name, value]) => {
    if (value === undefined || (value === null && !Object.hasOwn(now, name))) return [];
    return [{ path: [...path, name], value: value ?? undefined }];
  });
}

/**
 * A caller that names another broker must supply the password: else the stored one would be sent to that broker.
 *
 * @throws ValidationError
 */
function requirePassword(now: ConfigFile['mqtt'], change: DeviceConfigurationChange['mqtt']): void {
  const url = change?.url;
  if (now?.password === undefined || url === undefined || change?.password !== undefined) return;
  if (placeOf(url) === placeOf(now.url)) return;
  throw new ValidationError({ 'mqtt.password': ['is needed again, since the broker is another one'] });
}

/** How the broker is spoken to, and where it is; an address that is none is refused for that elsewhere. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
