import { ApiError } from '@heliograph/client';
import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { NoPasskey } from './passkey.ts';

/** Why a second factor was not taken. */
export function FactorError({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('security');
  const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 422);
  if (!isRefused && !(error instanceof NoPasskey)) return <FormError error={error} />;
  return (
    <Alert color="red" variant="light" role="alert">
      {isRefused ? t('refused') : t('passkeyFailed')}
    </Alert>
  );
}
