import type { DeviceClient } from '@heliograph/client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLive } from '../live/live-context.tsx';
import type { LiveValues } from '../live/live-values.ts';
import type { Change } from './changes.ts';
import { writeLogQuery } from './write-log-query.ts';
import { failureOf, type WriteState } from './write-state.ts';

interface SettingWrites {
  /** How the last change of each setting went, by topic. */
  readonly states: ReadonlyMap<string, WriteState>;
  /** Whether a write is in progress: the next one waits for it. */
  readonly isSending: boolean;
  /** Sends changes to the hardware, one after the other, each once; after one that failed no further one is sent. */
  readonly apply: (changes: readonly Change[]) => void;
  /** Forgets how a change went, when the next one is thought about. */
  readonly forget: (topic: string) => void;
}

/**
 * Changes settings of the device that is followed, one at a time, and none of them twice.
 *
 * @param onDone called with the topic of each change that the hardware confirmed
 */
export function useSettingWrites(onDone: (topic: string) => void): SettingWrites {
  const { device, values } = useLive();
  const queries = useQueryClient();
  const [states, setStates] = useState<ReadonlyMap<string, WriteState>>(new Map());
  // A second press may come before the first one has rendered.
  const isUnderWay = useRef(false);
  const put = (topic: string, state: WriteState): void =>
    setStates((before) => new Map(before).set(topic, state));

  const write = async (followed: DeviceClient, { definition, payload }: Change): Promise<boolean> => {
    const { topic } = definition;
    put(topic, { state: 'sending' });
    try {
      await followed.set(topic, payload);
      await readBack(followed, values, topic);
      put(topic, { state: 'done', payload });
      onDone(topic);
      return true;
    } catch (error) {
      put(topic, failureOf(error, payload));
      return false;
    }
  };
  const apply = async (changes: readonly Change[]): Promise<void> => {
    if (device === undefined || isUnderWay.current) return;
    isUnderWay.current = true;
    let isWell = true;
    for (const change of changes) {
      if (isWell) isWell = await write(device, change);
      else put(change.definition.topic, { state: 'notSent' });
    }
    isUnderWay.current = false;
    void queries.invalidateQueries({ queryKey: writeLogQuery(device).queryKey });
  };
  const forget = (topic: string): void =>
    setStates((before) =>
      before.has(topic) ? new Map([...before].filter(([known]) => known !== topic)) : before,
    );

  return {
    states,
    isSending: [...states.values()].some(({ state }) => state === 'sending'),
    apply: (changes) => void apply(changes),
    forget,
  };
}

/** Reads the value back. The stream reports it as well, a moment later or, after a lost connection, much later. */
async function readBack(device: DeviceClient, values: LiveValues, topic: string): Promise<void> {
  try {
    const row = (await device.metrics({ topic })).find((one) => one.topic === topic);
    if (row !== undefined) {
      const { value, stale, last_value: lastValue = null } = row;
      values.put(topic, { value, stale, lastValue });
    }
  } catch {
    // The change was confirmed; only the sight of it is late.
  }
}
