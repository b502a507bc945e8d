import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/**
 * A password, which can be shown while it is typed. Marks itself as invalid, which the input of the library does not.
 */
export function PasswordField({ error, ...props }: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      error={error}
      aria-invalid={error ? true : undefined}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('password.show'), size: 36 }}
      {...props}
    />
  );
}
