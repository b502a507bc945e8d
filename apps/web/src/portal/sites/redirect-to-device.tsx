import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import classes from './narrow-page.module.css';
import type { DeviceRedirect } from './use-registration.ts';

/**
 * The device is registered. Its own pages are gone to at once; anywhere else only with somebody's word, for with the
 * address goes a token.
 */
export function RedirectToDevice({ callback: { href, host, isTrusted }, sitePath }: DeviceRedirect) {
  const { t } = useTranslation('sites');
  return (
    <div className={classes.page}>
      <PageTitle text={t('leave.title')} />
      <Card title={t(isTrusted ? 'leave.going' : 'leave.ask', { host })}>
        <p className={classes.text} role="status">
          {t(isTrusted ? 'leave.goingText' : 'leave.askText', { host })}
        </p>
        <Group>
          <Button component={Link} href={sitePath}>
            {t('leave.toSite')}
          </Button>
          <Button variant="default" component="a" href={href} rel="noreferrer">
            {t('leave.go', { host })}
          </Button>
        </Group>
      </Card>
    </div>
  );
}
