import type { MetricDefinition } from '@heliograph/client';
import { Alert, Stack } from '@mantine/core';
import { memo, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { SearchField } from '../components/form/search-field.tsx';
import { Empty } from '../components/states/empty.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useDefinitions, useLiveStatus, useLiveValue } from '../live/live-context.tsx';
import { byDevice, matchesSearch } from '../metrics/grouping.ts';
import { MetricsUnavailable } from '../metrics/metrics-unavailable.tsx';
import { ConfirmChange, type PendingChange } from './confirm-change.tsx';
import { SettingControl } from './setting-control.tsx';
import classes from './settings-panel.module.css';
import { useSettingWrites } from './use-setting-writes.ts';
import type { WriteState } from './write-state.ts';

interface SettingsPanelProps {
  /** Without it values are shown without controls. */
  readonly mayWrite: boolean;
  /** The path of the log of writes, for a change whose outcome is unknown. */
  readonly logPath?: string;
}

/** All settings of the hardware, by what has them; a change is confirmed, then sent once. */
export function SettingsPanel({ mayWrite, logPath }: SettingsPanelProps) {
  const { t } = useTranslation('settings');
  const heading = useDeviceLabel();
  const definitions = useDefinitions();
  const { state } = useLiveStatus();
  const { states, isSending, send, forget } = useSettingWrites();
  const [search, setSearch] = useState('');
  const [pending, setPending] = useState<PendingChange>();
  const request = useCallback(
    (definition: MetricDefinition, payload: string) => setPending({ definition, payload }),
    [],
  );

  const settings = definitions.filter(({ group }) => group === 'Settings');
  if (definitions.length === 0) return <MetricsUnavailable />;
  if (settings.length === 0) return <Empty title={t('none')}>{t('noneHint')}</Empty>;

  const isOffline = state !== 'live';
  const isFound = (definition: MetricDefinition): boolean =>
    matchesSearch(definition, search, heading(definition.device, definition.number));
  const confirm = ({ definition: { topic }, payload }: PendingChange): void => {
    setPending(undefined);
    send(topic, payload);
  };
  const cancel = (): void => {
    if (pending !== undefined) forget(pending.definition.topic);
    setPending(undefined);
  };
  return (
    <Stack gap="1.25rem">
      {!mayWrite && <Alert color="blue">{t('mayNot')}</Alert>}
      {mayWrite && isOffline && (
        <Alert color="orange" role="status">
          {t('offline')}
        </Alert>
      )}
      <SearchField label={t('search')} value={search} onChange={setSearch} />
      {!settings.some(isFound) && <Empty title={t('nothingFound', { search })} />}
      {byDevice(settings).map((group) => (
        // A draft that was not sent survives a search for another setting.
        <div key={group.key} hidden={!group.definitions.some(isFound)}>
          <Card title={heading(group.device, group.number)}>
            <ul className={classes.list}>
              {group.definitions.map((definition) => (
                <li key={definition.topic} hidden={!isFound(definition)}>
                  <LiveSetting
                    {...{ definition, mayWrite, isOffline, logPath }}
                    write={states.get(definition.topic)}
                    isBusy={isSending && states.get(definition.topic)?.state !== 'sending'}
                    onRequest={request}
                  />
                </li>
              ))}
            </ul>
          </Card>
        </div>
      ))}
      <ConfirmChange change={pending} onConfirm={confirm} onCancel={cancel} />
    </Stack>
  );
}

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
const LiveSetting = memo(function LiveSetting({ definition, onRequest, ...state }: LiveSettingProps) {
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
