import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import classes from './no-sites.module.css';

/** For somebody new: how the first device comes here. */
export function NoSites() {
  const { t } = useTranslation('sites');
  return (
    <Card title={t('first.title')}>
      <ol className={classes.steps}>
        <li>{t('first.connect')}</li>
        <li>{t('first.open')}</li>
        <li>{t('first.add')}</li>
      </ol>
      <p className={classes.note}>{t('first.invited')}</p>
      <Button className={classes.button} component={Link} href="/sites/add">
        {t('list.add')}
      </Button>
    </Card>
  );
}
