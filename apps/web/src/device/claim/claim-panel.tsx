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
  const { t } = useTranslation('configuration');
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
      <Copied label={t('claim.uid')} text={claim.data.uid} copy={t('claim.copyUid')} />
    </Stack>
  );
}

function ClaimState({ claim }: { readonly claim: DeviceClaim }) {
  const { t } = useTranslation('configuration');
  const { state, site_name: name, cloud_url: cloud, reason, registration_code: code } = claim;
  const labels = {
    no_cloud: t('claim.noCloud'),
    not_reached: t('claim.notReached', { cloud }),
    waiting_for_activation: t('claim.waiting'),
    unclaimed: t('claim.unclaimed'),
    released: t('claim.released'),
    claimed: name === null ? t('claim.claimed') : t('claim.claimedAs', { name }),
  };
  const leadsOn = state === 'unclaimed' || state === 'waiting_for_activation' || state === 'released';
  return (
    <>
      <Text fw={600} role="status">
        {labels[state]}
      </Text>
      {/* Else the cloud gives as its reason what the state is already. */}
      {!leadsOn && reason !== null && <Text c="dimmed">{t('claim.reason', { reason })}</Text>}
      {state === 'unclaimed' && <Text>{t('claim.why')}</Text>}
      {state === 'released' && code !== null && (
        <>
          <Text>{t('claim.codeWhy')}</Text>
          <Copied label={t('claim.code')} text={code.code} copy={t('claim.copyCode')} />
        </>
      )}
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

interface CopiedProps {
  readonly label: string;
  readonly text: string;
  /** Label of the button. */
  readonly copy: string;
}

/** A text to read or to copy. */
function Copied({ label, text, copy }: CopiedProps) {
  return (
    <div className={classes.copied}>
      <div>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <code className={classes.code}>{text}</code>
      </div>
      <CopyButton text={text} label={copy} />
    </div>
  );
}
