import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { Placeholder } from '../components/states/placeholder.tsx';
import classes from './units-placeholder.module.css';

/** The place of the cards of inverters and batteries, until their script and metrics have loaded. */
export function UnitsPlaceholder() {
  const { t } = useTranslation('site');
  return (
    <Card title={t('units.title')}>
      <Placeholder className={classes.units} />
    </Card>
  );
}
