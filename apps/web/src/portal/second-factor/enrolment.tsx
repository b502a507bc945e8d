import { CloudClient } from '@heliograph/client';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { AppSetup } from './app-setup.tsx';
import { FactorError } from './factor-error.tsx';
import { mayUsePasskeys } from './passkey.ts';
import { PasskeySetup } from './passkey-setup.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';

interface EnrolmentProps {
  readonly pendingToken: string;
  readonly onDone: () => Promise<void>;
}

/** Sets up the first second factor of somebody whose organization requires one, before they are signed in. */
export function Enrolment({ pendingToken, onDone }: EnrolmentProps) {
  const { t } = useTranslation('security');
  // The pages' own paths take the cookie alone, and there is no session yet.
  const [factors] = useState(() => new CloudClient({ url: '', token: pendingToken }).secondFactors);
  const [codes, setCodes] = useState<readonly string[]>();
  const { submit, isPending, error } = useSubmit(() => onDone());
  return (
    <>
      <PageTitle text={codes === undefined ? t('enrolTitle') : t('codes')} focusOnMount />
      {codes === undefined ? (
        <Stack gap="xl">
          <Text>{t('enrolText')}</Text>
          <AppSetup factors={factors} onAdded={(made) => setCodes(made ?? [])} />
          {mayUsePasskeys() && <PasskeySetup factors={factors} onAdded={(made) => setCodes(made ?? [])} />}
        </Stack>
      ) : (
        <Stack gap="md">
          <RecoveryCodeList codes={codes} />
          <FactorError error={error} />
          <Button loading={isPending} onClick={() => submit(undefined)}>
            {t('continue')}
          </Button>
        </Stack>
      )}
    </>
  );
}
