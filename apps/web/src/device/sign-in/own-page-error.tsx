import { ApiError } from '@heliograph/client';
import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';

/** A failure of a form of the device's own pages: most refusals come from a reverse proxy before the device. */
export function OwnPageError({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('device');
  const message = () => {
    switch (error instanceof ApiError ? error.body.code : undefined) {
      case 'foreign_page':
        return t('signIn.changedHost');
      case 'public_name':
      case 'not_local':
        return t('signIn.openLocally');
      default:
        return undefined;
    }
  };
  const text = message();
  if (text === undefined) return <FormError error={error} />;
  return (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  );
}
