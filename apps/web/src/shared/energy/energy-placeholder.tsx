import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { Placeholder } from '../components/states/placeholder.tsx';
import classes from './energy-placeholder.module.css';

/** The place of the energy of a period, until its script has loaded. */
export function EnergyPlaceholder() {
  const { t } = useTranslation('site');
  return (
    <Card title={t('energy.thisPeriod')}>
      <Placeholder className={classes.energy} />
    </Card>
  );
}
