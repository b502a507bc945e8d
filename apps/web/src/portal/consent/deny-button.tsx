import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import type { ConsentApi } from './consent-api.ts';

interface DenyButtonProps {
  readonly api: ConsentApi;
  readonly onAnswered: (location: string) => void;
}

/** Says no where there is nothing to say yes to yet. */
export function DenyButton({ api, onAnswered }: DenyButtonProps) {
  const { t } = useTranslation('consent');
  const { submit, isPending, error } = useSubmit(() => api.deny(), { onDone: onAnswered });
  return (
    <>
      <FormError error={error} />
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('deny')}
      </Button>
    </>
  );
}
