import { useTranslation } from 'react-i18next';
import { LiveEnergyFlow } from '../../shared/components/flow/live-energy-flow.tsx';
import { EnergyOfPeriod } from '../../shared/energy/energy-of-period.tsx';
import { TodayCurves } from '../../shared/energy/today-curves.tsx';
import { LiveTile } from '../../shared/metrics/value-tile.tsx';
import { HistoryQuestion } from './history-consent-card.tsx';
import { LastValues } from './last-values.tsx';
import classes from './live-tab.module.css';
import { LiveTab } from './live-tab.tsx';

/** How the site does: now, today, in its energy period. */
export function Page() {
  const { t } = useTranslation('sites');
  return (
    <LiveTab whenOffline={<LastValues />}>
      <div className={classes.picture}>
        <div className={classes.surface}>
          <LiveEnergyFlow />
        </div>
        <EnergyOfPeriod />
      </div>
      <div className={classes.tiles}>
        <LiveTile topic="total/battery_state_of_charge" label={t('headline.stateOfCharge')} />
        <LiveTile topic="inverter_1/device_mode" label={t('tiles.deviceMode')} tone="neutral" />
        <LiveTile topic="total/battery_voltage" label={t('tiles.batteryVoltage')} />
        <LiveTile topic="battery_1/temperature" label={t('tiles.batteryTemperature')} />
        <LiveTile topic="total/grid_voltage" label={t('tiles.gridVoltage')} />
        <LiveTile topic="inverter_1/temperature" label={t('tiles.inverterTemperature')} tone="neutral" />
      </div>
      <TodayCurves />
      <HistoryQuestion />
    </LiveTab>
  );
}
