import type { SiteReachability } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { cloud } from '../../../session/cloud.ts';
import { deviceUrl } from './device-url.ts';
import classes from './offline-help.module.css';

const STATUS_MESSAGES = {
  connected: 'reach.connected',
  http_error: 'reach.httpError',
  disconnected: 'reach.disconnected',
  proxy_unreachable: 'reach.proxyUnreachable',
  timeout: 'reach.timeout',
  not_found: 'reach.notFound',
} as const satisfies Record<SiteReachability['status'], string>;

interface OfflineHelpProps {
  readonly siteId: number;
  /** The device's address on its own network, as the cloud received it last. */
  readonly localAddress: string | null;
}

/** Advice for a device that is offline, and a test whether the service reaches it. */
export function OfflineHelp({ siteId, localAddress }: OfflineHelpProps) {
  const { t } = useTranslation('sites');
  const { time } = useFormat();
  const localUrl = deviceUrl(localAddress, '/configuration?diagnose_internet=true');
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => cloud.probeSite({ id: siteId }),
  });
  return (
    <div className={classes.help}>
      <ul className={classes.steps}>
        <li>{t('away.power')}</li>
        <li>{t('away.internet')}</li>
        {localUrl !== undefined && (
          <li>
            {t('away.local')}{' '}
            <a href={localUrl} rel="noreferrer">
              {localAddress}
            </a>
          </li>
        )}
      </ul>
      <div className={classes.test}>
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          {t('away.test')}
        </Button>
        <p className={classes.outcome} role="status">
          {data !== undefined && t(STATUS_MESSAGES[data.status], { time: time(data.status_at) })}
        </p>
      </div>
      <FormError error={error} />
    </div>
  );
}
