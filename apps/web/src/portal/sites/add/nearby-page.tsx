import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { BackToSites } from '../site/back-to-sites.tsx';
import classes from './narrow-page.module.css';
import { NearbyDevices } from './nearby-devices.tsx';

/** `/sites#local?uid=…`: where on the own network a device is. */
export function Page() {
  const { t } = useTranslation('adding');
  const [params] = useSearchParams();
  return (
    <div className={classes.page}>
      <BackToSites />
      <PageTitle text={t('nearby.pageTitle')} />
      <Card title={t('nearby.title')}>
        <NearbyDevices uid={params.get('uid') ?? undefined} />
      </Card>
    </div>
  );
}
