import type { ActivationCode } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import { ConfirmedButton } from '../confirmed-button.tsx';
import { Row } from '../rows.tsx';
import { activationCodes, type Issuer } from './queries.ts';

interface CodeRowProps {
  readonly issuer: Issuer;
  readonly code: ActivationCode;
  readonly onRevoked: () => void;
}

export function CodeRow({ issuer, code, onRevoked }: CodeRowProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { id, uses_left: left, expires_at: until, created_at: made } = code;
  const isOver = until !== null && new Date(until).getTime() < Date.now();
  const name = t('codes.name', { id });
  return (
    <Row
      title={name}
      facts={[
        left === 0 ? t('codes.usedUp') : t('codes.usesLeft', { count: left }),
        until === null
          ? t('codes.forEver')
          : isOver
            ? t('codes.over', { at: format.date(until) })
            : t('codes.until', { at: format.date(until) }),
        t('codes.made', { at: format.date(made) }),
      ]}
      actions={
        <ConfirmedButton
          label={t('codes.revoke')}
          description={t('codes.revokeThat', { name })}
          title={t('codes.revokeTitle')}
          act={() => activationCodes(issuer).revoke(id)}
          onDone={onRevoked}
        >
          {t('codes.revokeText')}
        </ConfirmedButton>
      }
    />
  );
}
