import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface CodeFieldProps {
  readonly error: string | undefined;
  readonly hint?: string;
}

/** A code of an authenticator app, which phones fill in by themselves, or a recovery code. */
export function CodeField({ error, hint }: CodeFieldProps) {
  const { t } = useTranslation('security');
  return (
    <TextInput
      name="otp"
      label={t('code')}
      description={hint ?? t('codeHint')}
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
