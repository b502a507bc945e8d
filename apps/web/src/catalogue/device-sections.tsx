import { Button } from '@mantine/core';
import { useState } from 'react';
import { MetricsOfSite } from '../shared/metrics-page/metrics-of-site.tsx';
import { SettingControl } from '../shared/settings/setting-control.tsx';
import { SettingsPanel } from '../shared/settings/settings-panel.tsx';
import type { WriteState } from '../shared/settings/write-state.ts';
import { DemoSite } from './demo-site.tsx';
import {
  manyDefinitions,
  manyValues,
  settingDefinitions,
  settingValues,
  staleValues,
  totalDefinitions,
  totalValues,
} from './samples.ts';
import { Specimen, Specimens } from './specimen.tsx';

const definitions = [...totalDefinitions, ...settingDefinitions];

export function MetricsSection() {
  return (
    <Specimens isWide>
      <Specimen state="live">
        <DemoSite definitions={definitions} values={[...totalValues, ...settingValues]}>
          <MetricsOfSite historyPath="/history" />
        </DemoSite>
      </Specimen>
      <Specimen state="nothing is read any more">
        <DemoSite definitions={totalDefinitions} values={staleValues}>
          <MetricsOfSite historyPath="/history" />
        </DemoSite>
      </Specimen>
      <Specimen state="on its way">
        <DemoSite state="connecting">
          <MetricsOfSite historyPath="/history" />
        </DemoSite>
      </Specimen>
      <Specimen state="no metrics">
        <DemoSite>
          <MetricsOfSite historyPath="/history" />
        </DemoSite>
      </Specimen>
    </Specimens>
  );
}

const WRITES: readonly WriteState[] = [
  { state: 'sending' },
  { state: 'done', payload: '20' },
  { state: 'refused', payload: '4', message: 'must be between 5 and 100', refusal: undefined },
  { state: 'notAllowed' },
  { state: 'tooMany' },
  { state: 'offline' },
  { state: 'notSent' },
  { state: 'unknown', payload: '4', refusal: { text: 'refusals.notInTime' } },
];

const [, reserve] = settingDefinitions;

export function SettingsSection() {
  return (
    <>
      <Specimens isWide>
        <Specimen state="live">
          <DemoSite definitions={settingDefinitions} values={settingValues}>
            <SettingsPanel mayWrite />
          </DemoSite>
        </Specimen>
        <Specimen state="no permission">
          <DemoSite definitions={settingDefinitions} values={settingValues}>
            <SettingsPanel mayWrite={false} />
          </DemoSite>
        </Specimen>
        <Specimen state="connection lost">
          <DemoSite state="reconnecting" definitions={settingDefinitions.slice(0, 2)} values={settingValues}>
            <SettingsPanel mayWrite />
          </DemoSite>
        </Specimen>
        <Specimen state="no settings">
          <DemoSite>
            <SettingsPanel mayWrite />
          </DemoSite>
        </Specimen>
      </Specimens>
      <Specimens isWide>
        {reserve !== undefined &&
          WRITES.map((write) => (
            <Specimen key={write.state} state={`a change: ${write.state}`}>
              <SettingControl
                definition={reserve}
                value={20}
                isStale={false}
                mayWrite
                write={write}
                onDraft={() => undefined}
              />
            </Specimen>
          ))}
        {reserve !== undefined && (
          <Specimen state="a change: done, and overtaken">
            <SettingControl
              definition={reserve}
              value={20}
              isStale={false}
              mayWrite
              write={{ state: 'done', payload: '30' }}
              onDraft={() => undefined}
            />
          </Specimen>
        )}
        {reserve !== undefined && (
          <Specimen state="stale">
            <SettingControl definition={reserve} value={null} isStale mayWrite onDraft={() => undefined} />
          </Specimen>
        )}
      </Specimens>
    </>
  );
}

/** Shows the load of a large site on a browser. */
export function BusySection() {
  const [isRunning, setRunning] = useState(false);
  if (!isRunning) return <Button onClick={() => setRunning(true)}>Start</Button>;
  return (
    <DemoSite definitions={manyDefinitions} values={manyValues()} next={manyValues}>
      <MetricsOfSite historyPath="/history" />
    </DemoSite>
  );
}
