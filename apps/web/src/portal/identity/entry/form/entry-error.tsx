import { ApiError, isPasskeyUnknown } from '@heliograph/client';
import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../../../shared/errors/error-message.ts';

/** A failure to sign in or register that belongs to no field. */
export function EntryError({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  if (error === undefined || error === null) return null;
  const message = (): string => {
    if (isPasskeyUnknown(error)) return t('errors.passkeyUnknown');
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === 401) return t('errors.wrong');
    // No device has a part in it.
    return status === 503 ? t('errors.busy') : errorMessage(error, shared);
  };
  return (
    <Alert color="red" variant="light" role="alert">
      {message()}
    </Alert>
  );
}
