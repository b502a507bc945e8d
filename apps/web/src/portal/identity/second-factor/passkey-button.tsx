import type { PasskeyAssertion, PasskeyRequestOptions } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { FactorError } from './factor-error.tsx';
import { answerWithPasskey } from './passkey.ts';

interface PasskeyButtonProps {
  readonly options: PasskeyRequestOptions;
  readonly act: (passkey: PasskeyAssertion) => Promise<unknown>;
}

export function PasskeyButton({ options, act }: PasskeyButtonProps) {
  const { t } = useTranslation('security');
  const { submit, isPending, error } = useSubmit(async () => act(await answerWithPasskey(options)));
  return (
    <>
      <FactorError error={error} />
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('usePasskey')}
      </Button>
    </>
  );
}
