import type { SecondFactors } from '@heliograph/client';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { FactorError } from './factor-error.tsx';
import { withFreshSignIn } from './fresh-sign-in.ts';
import { createPasskey } from './passkey.ts';

interface SetupProps {
  readonly factors: SecondFactors;
  /** @param codes recovery codes that came with a first second factor */
  readonly onAdded: (codes: readonly string[] | null) => void;
}

/** Names a passkey and has the browser make it. */
export function PasskeySetup({ factors, onAdded }: SetupProps) {
  const { t } = useTranslation('security');
  const [name, setName] = useState('');
  const { submit, isPending, fields, error } = useSubmit(
    async () => {
      const options = await withFreshSignIn(() => factors.startPasskey());
      return factors.addPasskey(name, await createPasskey(options));
    },
    {
      onDone: ({ recovery_codes: codes }) => {
        setName('');
        onAdded(codes);
      },
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(undefined);
      }}
    >
      <Stack gap="sm" maw="28rem">
        <Text>{t('passkeysText')}</Text>
        <TextInput
          label={t('passkeyName')}
          required
          maxLength={100}
          value={name}
          error={fields.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FactorError error={error} />
        <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
          {t('addPasskey')}
        </Button>
      </Stack>
    </form>
  );
}
