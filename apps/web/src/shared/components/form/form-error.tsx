import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorWords } from '../../errors/words.ts';

/** What went wrong with a form and belongs to none of its inputs. */
export function FormError({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  if (error === undefined || error === null) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {errorWords(error, t)}
    </Alert>
  );
}
