import { useTranslation } from 'react-i18next';
import { useDefinitions, useLiveStatus, useLiveValue } from '../../live/live-context.tsx';
import type { LiveValue } from '../../live/live-values.ts';
import { Placeholder } from '../states/placeholder.tsx';
import { EnergyFlow } from './energy-flow.tsx';
import { isEmpty } from './flows.ts';

/** The flows of the site that is followed, as they change. */
export function LiveEnergyFlow() {
  const { t } = useTranslation('site');
  const { state } = useLiveStatus();
  const isUnknownYet = useDefinitions().length === 0;
  const solar = useLiveValue('total/pv_power');
  const load = useLiveValue('total/load_power');
  const grid = useLiveValue('total/grid_power');
  const battery = useLiveValue('total/battery_power');
  const stateOfCharge = useLiveValue('total/battery_state_of_charge');
  const flows = {
    solar: powerOf(solar),
    load: powerOf(load),
    grid: powerOf(grid),
    battery: powerOf(battery),
    stateOfCharge: powerOf(stateOfCharge),
  };
  if (isEmpty(flows)) {
    return isUnknownYet && state === 'connecting' ? (
      <Placeholder height="20rem" />
    ) : (
      <p style={{ color: 'var(--hg-muted)' }}>{t('flow.nothingKnown')}</p>
    );
  }
  const isStale = [solar, load, grid, battery].some((value) => value?.stale === true);
  return <EnergyFlow {...flows} isStale={isStale} status={state} />;
}

/** Undefined where the site has no such topic, null where its value is unknown. */
function powerOf(value: LiveValue | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  return typeof value.value === 'number' ? value.value : null;
}
