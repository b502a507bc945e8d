import type { DeviceSummary } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { cloud } from '../../session/cloud.ts';

interface DeviceActionsProps {
  readonly device: DeviceSummary;
  readonly onChanged: () => void;
}

/** What can be done with a device in its state. */
export function DeviceActions({
  device: { uid, state, activated_at: activated },
  onChanged,
}: DeviceActionsProps) {
  const { t } = useTranslation('operator');
  if (state === 'revoked') {
    return (
      <ConfirmedButton
        label={t('devices.restore')}
        description={t('devices.restoreThat', { uid })}
        title={t('devices.restoreTitle')}
        tone="primary"
        act={() => cloud.devices.restore(uid)}
        onDone={onChanged}
      >
        {t('devices.restoreText', { uid })}
      </ConfirmedButton>
    );
  }
  return (
    <>
      {activated === null && (
        <ConfirmedButton
          label={t('devices.activate')}
          description={t('devices.activateThat', { uid })}
          title={t('devices.activateTitle')}
          tone="primary"
          act={() => cloud.devices.activate(uid)}
          onDone={onChanged}
        >
          {t('devices.activateText', { uid })}
        </ConfirmedButton>
      )}
      <ConfirmedButton
        label={t('devices.revoke')}
        description={t('devices.revokeThat', { uid })}
        title={t('devices.revokeTitle')}
        act={() => cloud.devices.revoke(uid)}
        onDone={onChanged}
      >
        {t('devices.revokeText', { uid })}
      </ConfirmedButton>
    </>
  );
}
