import { useTranslation } from 'react-i18next';
import { LiveEnergyFlow } from '../../shared/components/flow/live-energy-flow.tsx';
import { LiveTile } from '../../shared/components/tile/value-tile.tsx';
import { EnergyOfPeriod } from '../../shared/energy/energy-of-period.tsx';
import { TodayCurves } from '../../shared/energy/today-curves.tsx';
import { LiveTab } from './live-tab.tsx';
import classes from './live-tab.module.css';

/** How the site does: now, today, in its energy period. */
export function Page() {
  const { t } = useTranslation('sites');
  return (
    <LiveTab>
      <div className={classes.picture}>
        <LiveEnergyFlow />
        <div className={classes.tiles}>
          <LiveTile topic="total/pv_power" label={t('headline.solar')} />
          <LiveTile topic="total/load_power" label={t('headline.load')} />
          <LiveTile topic="total/grid_power" label={t('headline.grid')} />
          <LiveTile topic="total/battery_power" label={t('headline.battery')} />
          <LiveTile topic="total/battery_state_of_charge" label={t('headline.stateOfCharge')} />
        </div>
      </div>
      <TodayCurves />
      <EnergyOfPeriod />
    </LiveTab>
  );
}
