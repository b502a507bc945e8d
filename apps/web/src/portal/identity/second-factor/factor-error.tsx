import { ApiError } from '@heliograph/client';
import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { NoPasskey } from './passkey.ts';

const NO_PASSKEY_MESSAGES = {
  declined: 'passkeyFailed',
  present: 'passkeyThere',
  unsupported: 'passkeyImpossible',
} as const;

/** Why a second factor was not taken. */
export function FactorError({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('security');
  if (error instanceof NoPasskey) return <FactorAlert message={t(NO_PASSKEY_MESSAGES[error.reason])} />;
  const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 422);
  return isRefused ? <FactorAlert message={t('refused')} /> : <FormError error={error} />;
}

function FactorAlert({ message }: { readonly message: string }) {
  return (
    <Alert color="red" variant="light" role="alert">
      {message}
    </Alert>
  );
}
