import type { SessionConfirmation } from '@heliograph/client';
import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface CodeFieldProps {
  readonly error: string | undefined;
  readonly hint?: string;
  /** How the account can be proved. Default: a code of its app is among them. */
  readonly methods?: SessionConfirmation['methods'];
}

/** A code of an authenticator app, which phones fill in by themselves, or a recovery code. */
export function CodeField({ error, hint, methods = ['totp'] }: CodeFieldProps) {
  const { t } = useTranslation('security');
  const hasApp = methods.includes('totp');
  return (
    <TextInput
      name="otp"
      label={hasApp ? t('code') : t('recoveryCode')}
      description={hasApp ? (hint ?? t('codeHint')) : undefined}
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={64}
      autoFocus
      data-autofocus
      error={error}
    />
  );
}
