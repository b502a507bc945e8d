import type { ActivationRequest } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../confirmed-button.tsx';
import { Row } from '../rows.tsx';

interface RequestRowProps {
  readonly request: ActivationRequest;
  readonly organizationId: number | undefined;
  readonly onDecided: () => void;
}

export function RequestRow({ request, organizationId, onDecided }: RequestRowProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { uid, user, message, requested_at: since, device } = request;
  return (
    <Row
      title={<code>{uid}</code>}
      facts={[
        user.name || user.email,
        user.name !== '' && user.email,
        t('requests.since', { ago: format.ago(since) }),
        device.board,
        device.inverter,
        device.battery,
      ]}
      actions={
        <>
          <ConfirmedButton
            label={t('requests.activate')}
            description={t('requests.activateThat', { uid })}
            title={t('requests.activateTitle')}
            tone="primary"
            act={() => cloud.devices.activate(uid, organizationId)}
            onDone={onDecided}
          >
            {t('requests.activateText', { uid, email: user.email })}
          </ConfirmedButton>
          <ConfirmedButton
            label={t('requests.decline')}
            description={t('requests.declineThat', { uid })}
            title={t('requests.declineTitle')}
            act={() => cloud.activationRequests.decline(uid)}
            onDone={onDecided}
          >
            {t('requests.declineText', { uid, email: user.email })}
          </ConfirmedButton>
        </>
      }
    >
      {message !== '' && <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{message}</Text>}
    </Row>
  );
}
