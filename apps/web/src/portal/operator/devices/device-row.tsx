import type { DeviceSummary } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { OnlineBadge } from '../../../shared/components/status/online-badge.tsx';
import { Row } from '../../parts/rows.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { DeviceActions } from './device-actions.tsx';
import { STATE_LABELS } from './device-states.ts';

interface DeviceRowProps {
  readonly device: DeviceSummary;
  readonly onChanged: () => void;
}

export function DeviceRow({ device, onChanged }: DeviceRowProps) {
  const { t } = useTranslation('operator');
  const { uid, state, site_id: site, organization_id: organization, online, last_seen_at: seen } = device;
  const { proxy, board, version, local_ip: address, inverter, battery } = device;
  return (
    <Row
      title={
        <>
          <code>{uid}</code>
          <StatusBadge tone={state === 'revoked' ? 'danger' : 'neutral'}>
            {t(STATE_LABELS[state])}
          </StatusBadge>
          <OnlineBadge isOnline={online} lastSeenAt={seen} />
        </>
      }
      facts={[
        site !== null && <Link href={`/sites/${site}`}>{t('devices.site', { id: site })}</Link>,
        organization !== null && (
          <Link href={`/organizations/${organization}`}>
            {t('devices.organization', { id: organization })}
          </Link>
        ),
        proxy,
        inverter,
        battery,
        board,
        version,
        address,
      ]}
      actions={<DeviceActions device={device} onChanged={onChanged} />}
    />
  );
}
