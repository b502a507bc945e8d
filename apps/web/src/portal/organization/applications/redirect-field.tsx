import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface RedirectFieldProps {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (text: string) => void;
}

/** Where users may be sent back to. */
export function RedirectField({ value, error, onChange }: RedirectFieldProps) {
  const { t } = useTranslation('organization');
  return (
    <Textarea
      label={t('applications.redirectUris')}
      description={t('applications.redirectHint')}
      placeholder="https://app.example.com/signed-in"
      rows={3}
      size="md"
      spellCheck={false}
      autoCapitalize="off"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
