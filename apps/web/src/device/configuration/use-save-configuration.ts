import type { DeviceConfiguration, DeviceConfigurationChange } from '@heliograph/client';
import { useState } from 'react';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { device } from '../session/device.ts';
import { sessionQuery } from '../session/session.ts';
import { configurationQuery } from './configuration-query.ts';
import { whenInEffect } from './in-effect.ts';

/**
 * `starting`: it is written, and the device restarts with it. `in_effect`: the device runs with it; `taken_back`: it
 * could not, and runs with the former one; `away`: it has not come back.
 */
export type SavePhase = 'idle' | 'saving' | 'starting' | 'in_effect' | 'taken_back' | 'away';

interface SaveOptions {
  /** Called when the device runs with it. */
  readonly onInEffect?: (configuration: DeviceConfiguration) => void;
}

/** Changes the configuration file of the device, and follows it until the device runs with it. */
export function useSaveConfiguration({ onInEffect }: SaveOptions = {}) {
  const [phase, setPhase] = useState<SavePhase>('idle');
  const submission = useSubmit(async (change: DeviceConfigurationChange) => {
    setPhase('saving');
    try {
      setPhase(await save(change, () => setPhase('starting'), onInEffect));
    } catch (error) {
      setPhase('idle');
      throw error;
    }
  });
  return { ...submission, phase };
}

async function save(
  change: DeviceConfigurationChange,
  onWritten: () => void,
  onInEffect: SaveOptions['onInEffect'],
): Promise<SavePhase> {
  const written = await device.configuration.change(change);
  onWritten();
  const settled = await whenInEffect(written, { get: () => device.configuration.get() });
  if (settled === undefined) return 'away';
  queries.setQueryData(configurationQuery.queryKey, settled);
  // Links, probes, what the device is: all of it may be another one now.
  void queries.invalidateQueries({
    predicate: ({ queryKey: [name] }) =>
      name !== sessionQuery.queryKey[0] && name !== configurationQuery.queryKey[0],
  });
  if (settled.problem !== null) return 'taken_back';
  onInEffect?.(settled);
  return 'in_effect';
}
