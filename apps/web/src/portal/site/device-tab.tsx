import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { AuditLog } from '../../shared/log/audit-log.tsx';
import { WriteLog } from '../../shared/log/write-log.tsx';
import { DescriptionForm } from './description-form.tsx';
import { DeviceFacts } from './device-facts.tsx';
import classes from './live-tab.module.css';
import { OfflineHelp } from './offline-help.tsx';
import { useOnline } from './online.tsx';
import { OpenPages } from './open-pages.tsx';
import { RenameForm } from './rename-form.tsx';
import { useSite } from './site-context.tsx';

/** What the site's device is and where; what the site is called; who changed which setting. */
export function Page() {
  const { t } = useTranslation('sites');
  const { site, may, device } = useSite();
  const isOnline = useOnline();
  return (
    <div className={classes.tab}>
      {!isOnline && (
        <Card title={t('away.title')}>
          <OfflineHelp siteId={site.id} localAddress={site.local_ip} />
        </Card>
      )}
      <Card title={t('device.title')}>
        <DeviceFacts />
        <OpenPages />
      </Card>
      {may('manage') && (
        <Card title={t('naming.title')}>
          <RenameForm />
          <DescriptionForm />
        </Card>
      )}
      {may('write') && isOnline && device !== undefined && <WriteLog />}
      {may('configure') && isOnline && device !== undefined && <AuditLog />}
    </div>
  );
}
