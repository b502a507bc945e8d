import { useTranslation } from 'react-i18next';
import { LiveTile } from '../../shared/components/tile/value-tile.tsx';
import classes from './overview-page.module.css';

/** The figures that people look for first. */
export function Tiles() {
  const { t } = useTranslation('site');
  return (
    <div className={classes.tiles}>
      <LiveTile topic="total/battery_state_of_charge" label={t('energy.stateOfCharge')} />
      <LiveTile topic="total/pv_power" label={t('energy.solar')} />
      <LiveTile topic="total/load_power" label={t('energy.load')} />
      <LiveTile topic="total/grid_power" label={t('energy.grid')} />
      <LiveTile topic="total/battery_power" label={t('energy.battery')} />
    </div>
  );
}
