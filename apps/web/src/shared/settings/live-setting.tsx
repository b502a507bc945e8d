import type { MetricDefinition } from '@heliograph/client';
import { memo } from 'react';
import { useLiveValue } from '../live/live-context.tsx';
import { SettingControl } from './setting-control.tsx';
import type { WriteState } from './write-state.ts';

interface LiveSettingProps {
  readonly definition: MetricDefinition;
  readonly mayWrite: boolean;
  readonly write: WriteState | undefined;
  readonly isBusy: boolean;
  readonly isOffline: boolean;
  readonly logPath: string | undefined;
  readonly onRequest: (definition: MetricDefinition, payload: string) => void;
}

/** A setting with its value as it comes; the others stay as they are when it changes. */
export const LiveSetting = memo(function LiveSetting({ definition, onRequest, ...state }: LiveSettingProps) {
  const live = useLiveValue(definition.topic);
  return (
    <SettingControl
      {...state}
      definition={definition}
      value={live?.value ?? null}
      isStale={live?.stale ?? false}
      onChange={(payload) => onRequest(definition, payload)}
    />
  );
});
