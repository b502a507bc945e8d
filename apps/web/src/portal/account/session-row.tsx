import type { SessionSummary } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/format/use-format.ts';
import { ConfirmedButton } from '../parts/confirmed-button.tsx';
import { Row } from '../parts/rows.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { cloud } from '../session/cloud.ts';
import { useLastUse } from './use-last-use.ts';

interface SessionRowProps {
  readonly session: SessionSummary;
  readonly onEnded: () => void;
}

export function SessionRow({ session, onEnded }: SessionRowProps) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const { id, current, organization, created_at: begun, expires_at: until } = session;
  const lastUse = useLastUse(session);
  const signedIn = t('sessions.signedIn', { at: format.dateTime(begun) });
  const end = (
    <ConfirmedButton
      label={t('sessions.end')}
      description={t('sessions.endThat', { at: format.dateTime(begun) })}
      title={t('sessions.endTitle')}
      act={() => cloud.tokens.endSession(id)}
      onDone={onEnded}
    >
      {t('sessions.endText', { at: format.dateTime(begun) })}
    </ConfirmedButton>
  );
  return (
    <Row
      title={
        <>
          {signedIn}
          {current && <StatusBadge>{t('sessions.current')}</StatusBadge>}
        </>
      }
      facts={[
        lastUse,
        until !== null && t('life.until', { at: format.date(until) }),
        organization !== null && t('life.organization', { name: organization.name }),
      ]}
      actions={current ? undefined : end}
    />
  );
}
