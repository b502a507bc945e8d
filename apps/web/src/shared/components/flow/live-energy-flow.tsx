import type { MetricDefinition } from '@heliograph/client';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDefinitions, useLiveStatus, useLiveValue } from '../../live/live-context.tsx';
import { type LiveStatus, type LiveValue, shownValue } from '../../live/live-values.ts';
import { EnergyFlow } from './energy-flow.tsx';
import { FlowPlaceholder } from './flow-placeholder.tsx';
import { isEmpty } from './flows.ts';

/** How long the first values take at most after a connection, in milliseconds. */
const VALUES_WITHIN_MS = 2_000;

/** The flows of the site that is followed, as they change. */
export function LiveEnergyFlow() {
  const { t } = useTranslation('site');
  const { state } = useLiveStatus();
  const isAwaited = useAwaited(state);
  const solar = useLiveValue('total/pv_power');
  const load = useLiveValue('total/load_power');
  const grid = useLiveValue('total/grid_power');
  const battery = useLiveValue('total/battery_power');
  const stateOfCharge = useLiveValue('total/battery_state_of_charge');
  const definitions = useDefinitions();
  const isStale = [solar, load, grid, battery].some((value) => value?.stale === true);
  const flows = {
    solar: powerOf(solar),
    load: powerOf(load),
    grid: powerOf(grid),
    battery: powerOf(battery),
    // Beside live powers an old charge, of a battery on a line of its own, would pass for a live one.
    stateOfCharge: stateOfCharge?.stale === true && !isStale ? null : powerOf(stateOfCharge),
    batteries: unitsWith(definitions, 'Power', ['batteries']),
    solarUnits: unitsWith(definitions, 'PV power', ['inverters', 'chargers']),
  };
  if (isEmpty(flows)) {
    return isAwaited ? (
      <FlowPlaceholder />
    ) : (
      <p style={{ color: 'var(--hg-muted)' }}>{t('flow.nothingKnown')}</p>
    );
  }
  return <EnergyFlow {...flows} isStale={isStale} status={state} />;
}

/** Whether values may still arrive: a connection exists before its first values. */
function useAwaited(state: LiveStatus['state']): boolean {
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    if (state === 'connecting') return;
    const timer = setTimeout(() => setWaited(true), VALUES_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return !hasWaited;
}

/** How many units of some kinds have a metric of this name. */
function unitsWith(
  definitions: readonly MetricDefinition[],
  wanted: string,
  kinds: readonly MetricDefinition['device'][],
): number {
  return definitions.filter(({ name, device }) => name === wanted && kinds.includes(device)).length;
}

/** Undefined where the site has no such topic, null where its value is unknown. */
function powerOf(value: LiveValue | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  const shown = shownValue(value);
  return typeof shown === 'number' ? shown : null;
}
