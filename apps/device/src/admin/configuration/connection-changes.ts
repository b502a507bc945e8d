import { isDeepStrictEqual } from 'node:util';
import type { ConnectionChange } from '@heliograph/contracts';
import type { ConnectionEntry } from '../../config/config-file.ts';
import type { ConfigChange } from '../../config/edit-config.ts';
import { isSecretField } from '../../config/secret-fields.ts';

const KEYS = ['driver', 'bus', 'unit', 'role', 'reversed', 'options'] as const;

/**
 * The changes by which the file lists these connections. Entries that stay keep their place and their comments,
 * unless their order is another.
 */
export function connectionChanges(
  now: readonly ConnectionEntry[],
  requested: readonly ConnectionChange[],
): readonly ConfigChange[] {
  const origins = originsOf(now, requested);
  const entries = requested.map((change, index) => entryOf(change, now[origins[index] ?? -1]));
  const path = ['connections'];
  if (entries.length === 0) return now.length === 0 ? [] : [{ path, value: undefined }];
  const retained = origins.filter((origin) => origin !== undefined);
  if (retained.length === 0 || !isInOrder(origins)) return [{ path, value: entries }];
  const removed = [...now.keys()].filter((index) => !retained.includes(index)).toReversed();
  return [
    ...removed.map((index) => ({ path: [...path, index], value: undefined })),
    ...entries.flatMap((entry, index): ConfigChange[] => {
      const before = now[origins[index] ?? -1];
      if (before === undefined) return [{ path: [...path, index], value: entry }];
      return KEYS.filter((key) => !isDeepStrictEqual(before[key], entry[key])).map((key) => ({
        path: [...path, index, key],
        value: entry[key],
      }));
    }),
  ];
}

/** Which entry of the file each wished one was: that of the same hardware, else of the same bus, else of its place. */
function originsOf(
  now: readonly ConnectionEntry[],
  requested: readonly ConnectionChange[],
): readonly (number | undefined)[] {
  const origins: (number | undefined)[] = requested.map(() => undefined);
  const likenesses: readonly Likeness[] = [
    (one, change) => one.bus === change.bus && isSameUnit(one, change) && one.driver === change.driver,
    (one, change) => one.bus === change.bus,
    (_one, _change, index, at) => index === at,
  ];
  for (const isSame of likenesses) {
    for (const [at, change] of requested.entries()) {
      if (origins[at] !== undefined) continue;
      const found = now.findIndex((one, index) => !origins.includes(index) && isSame(one, change, index, at));
      if (found >= 0) origins[at] = found;
    }
  }
  return origins;
}

type Likeness = (one: ConnectionEntry, change: ConnectionChange, index: number, at: number) => boolean;

function isSameUnit(one: ConnectionEntry, { unit }: ConnectionChange): boolean {
  return unit === undefined || (unit ?? undefined) === one.unit;
}

/** Fields that the request leaves out stay, as long as the driver that they belong to is the same. */
function entryOf(change: ConnectionChange, before: ConnectionEntry | undefined): ConnectionEntry {
  const { driver, bus } = change;
  const previous = before?.driver === driver ? before : undefined;
  const unit = change.unit === undefined ? previous?.unit : (change.unit ?? undefined);
  const role = change.role === undefined ? previous?.role : (change.role ?? undefined);
  const options = optionsOf(change, previous);
  return {
    driver,
    bus,
    ...(unit === undefined ? {} : { unit }),
    ...(previous?.answer_timeout_s === undefined ? {} : { answer_timeout_s: previous.answer_timeout_s }),
    ...(role === undefined ? {} : { role }),
    ...(previous?.reversed === undefined ? {} : { reversed: previous.reversed }),
    ...(options === undefined || Object.keys(options).length === 0 ? {} : { options }),
  };
}

/** A secret never goes to another address than the one that it was set for. */
function optionsOf(
  { options, bus }: ConnectionChange,
  previous: ConnectionEntry | undefined,
): ConnectionEntry['options'] {
  if (options === null) return undefined;
  const stored = Object.entries(previous?.options ?? {});
  const secrets = stored.filter(([name]) => isSecretField(name));
  const known = options === undefined ? stored.filter(([name]) => !isSecretField(name)) : [];
  const values = { ...Object.fromEntries(known), ...options };
  const retained = secrets.filter(([name]) => previous?.bus === bus && !Object.hasOwn(values, name));
  return Object.fromEntries(
    [...Object.entries(values), ...retained].filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Whether those that stay come first and as they were, so that each can be edited where it is. */
function isInOrder(origins: readonly (number | undefined)[]): boolean {
  return origins.every((origin, index) => {
    const before = origins[index - 1];
    if (index === 0) return origin !== undefined;
    return origin === undefined || (before !== undefined && before < origin);
  });
}
