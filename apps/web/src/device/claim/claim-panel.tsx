import type { DeviceClaim } from '@heliograph/client';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../shared/components/copy/copy-button.tsx';
import { QrCode } from '../../shared/components/qr/qr-code.tsx';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import classes from './claim.module.css';
import { watchedClaimQuery } from './claim-query.ts';

/** How far the device is on its way into an account, and what comes next. */
export function ClaimPanel() {
  const claim = useQuery(watchedClaimQuery);
  if (claim.data === undefined) {
    return claim.error === null ? (
      <Loading />
    ) : (
      <Failure error={claim.error} onRetry={() => void claim.refetch()} />
    );
  }
  return (
    <Stack>
      <ClaimState claim={claim.data} />
      <Uid uid={claim.data.uid} />
    </Stack>
  );
}

function ClaimState({ claim }: { readonly claim: DeviceClaim }) {
  const { t } = useTranslation('configuration');
  const { state, site_name: name, cloud_url: cloud, reason } = claim;
  const labels = {
    no_cloud: t('claim.noCloud'),
    not_reached: t('claim.notReached', { cloud }),
    waiting_for_activation: t('claim.waiting'),
    unclaimed: t('claim.unclaimed'),
    claimed: name === null ? t('claim.claimed') : t('claim.claimedAs', { name }),
  };
  const leadsOn = state === 'unclaimed' || state === 'waiting_for_activation';
  return (
    <>
      <Text fw={600} role="status">
        {labels[state]}
      </Text>
      {/* Else the cloud gives as its reason what the state is already. */}
      {!leadsOn && reason !== null && <Text c="dimmed">{t('claim.reason', { reason })}</Text>}
      {state === 'unclaimed' && <Text>{t('claim.why')}</Text>}
      {leadsOn && claim.portal_url !== null && <WayToPortal url={claim.portal_url} />}
      {state === 'claimed' && cloud !== null && (
        <Anchor href={cloud} className={classes.link ?? ''}>
          {t('claim.toPortal', { cloud })}
        </Anchor>
      )}
    </>
  );
}

function WayToPortal({ url }: { readonly url: string }) {
  const { t } = useTranslation('configuration');
  return (
    <div className={classes.way}>
      <QrCode text={url} label={t('claim.qr', { url })} />
      <Stack gap="sm" align="flex-start">
        <Text>{t('claim.scan')}</Text>
        <Button component="a" href={url}>
          {t('claim.register')}
        </Button>
      </Stack>
    </div>
  );
}

function Uid({ uid }: { readonly uid: string }) {
  const { t } = useTranslation('configuration');
  return (
    <div className={classes.uid}>
      <div>
        <Text size="sm" c="dimmed">
          {t('claim.uid')}
        </Text>
        <code className={classes.code}>{uid}</code>
      </div>
      <CopyButton text={uid} label={t('claim.copyUid')} />
    </div>
  );
}
