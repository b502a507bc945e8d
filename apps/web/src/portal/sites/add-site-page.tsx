import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { BackToSites } from '../site/back-to-sites.tsx';
import { Activation } from './activation.tsx';
import { AddSiteForm } from './add-site-form.tsx';
import classes from './narrow-page.module.css';
import { NearbyDevices } from './nearby-devices.tsx';
import { RedirectToDevice } from './redirect-to-device.tsx';
import type { NewDevice } from './registration.ts';
import { useRegistration } from './use-registration.ts';

export function Page() {
  const { t } = useTranslation('sites');
  const [params] = useSearchParams();
  const uid = params.get('uid') ?? '';
  const [device, setDevice] = useState<NewDevice>({ uid, name: '', description: '' });
  const { sending, waiting, departure, arrive } = useRegistration(params.get('callback'));
  const isWaiting = waiting !== undefined && waiting.uid === device.uid;
  if (departure !== undefined) return <RedirectToDevice {...departure} />;
  return (
    <div className={classes.page}>
      <BackToSites />
      <PageTitle text={t('add.title')} />
      <Card title={t('add.device')}>
        <AddSiteForm
          device={device}
          isLinked={uid !== ''}
          isWaiting={isWaiting}
          sending={sending}
          onChange={setDevice}
        />
      </Card>
      {isWaiting && (
        <Activation
          device={device}
          isChecking={sending.isPending}
          onRegistered={arrive}
          onCheck={() => sending.submit(device)}
        />
      )}
      {uid === '' && (
        <Card title={t('nearby.title')}>
          <NearbyDevices uid={undefined} />
        </Card>
      )}
    </div>
  );
}
