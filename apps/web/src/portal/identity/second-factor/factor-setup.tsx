import type { CloudClient, NewAuthenticatorApp, StartAuthenticatorAppBody } from '@heliograph/client';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Secret } from '../../../shared/components/copy/secret.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { QrCode } from '../../../shared/components/qr/qr-code.tsx';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { CodeField } from './code-field.tsx';
import { FactorError } from './factor-error.tsx';
import { createPasskey } from './passkey.ts';

interface SetupProps {
  /** With the session, or with the pending token of a sign-in that must set up a first second factor. */
  readonly cloud: CloudClient;
  /** @param codes recovery codes that came with a first second factor */
  readonly onAdded: (codes: readonly string[] | null) => void;
}

/** Puts a secret into an authenticator app, and asks for a code of it. */
export function AppSetup({ cloud, onAdded }: SetupProps) {
  const { t } = useTranslation('security');
  const [app, setApp] = useState<NewAuthenticatorApp>();
  const [isRenewed, setRenewed] = useState(false);
  const start = useSubmit(async ({ renew }: Required<StartAuthenticatorAppBody>) => {
    setApp(await withFreshSignIn(() => cloud.startAuthenticatorApp({ renew })));
    setRenewed(renew);
  });
  const confirm = useSubmit(
    (form: FormData) =>
      withFreshSignIn(() => cloud.confirmAuthenticatorApp({ otp: String(form.get('otp') ?? '') })),
    { onDone: ({ recovery_codes: codes }) => onAdded(codes) },
  );
  if (app === undefined) {
    return (
      <Stack gap="sm">
        <Text>{t('appText')}</Text>
        <FactorError error={start.error} />
        <Button
          style={{ alignSelf: 'flex-start' }}
          loading={start.isPending}
          onClick={() => start.submit({ renew: false })}
        >
          {t('setUpApp')}
        </Button>
      </Stack>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        confirm.submit(new FormData(event.currentTarget));
      }}
    >
      <Stack gap="md" maw="28rem">
        <Text>{t('scan')}</Text>
        {isRenewed && <Text role="status">{t('startedAgain')}</Text>}
        <QrCode text={app.uri} label={t('app')} />
        <Secret label={t('secret')} secret={app.secret} />
        <CodeField error={confirm.fields.otp && t('refused')} hint={t('appText')} />
        <FactorError error={confirm.error} />
        <Button type="submit" loading={confirm.isPending}>
          {t('turnOn')}
        </Button>
        <FactorError error={start.error} />
        <Button variant="default" loading={start.isPending} onClick={() => start.submit({ renew: true })}>
          {t('startAgain')}
        </Button>
      </Stack>
    </form>
  );
}

/** Names a passkey and has the browser make it. */
export function PasskeySetup({ cloud, onAdded }: SetupProps) {
  const { t } = useTranslation('security');
  const form = useApiForm({
    initialValues: { name: '' },
    send: async ({ name }) => {
      const options = await withFreshSignIn(() => cloud.startPasskey());
      return cloud.addPasskey({ name, passkey: await createPasskey(options) });
    },
    onDone: ({ recovery_codes: codes }) => {
      form.reset();
      onAdded(codes);
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" maw="28rem">
        <Text>{t('passkeysText', { host: location.hostname })}</Text>
        <TextInput label={t('passkeyName')} required maxLength={100} {...form.getInputProps('name')} />
        <FactorError error={form.error} />
        <Button type="submit" loading={form.isPending} style={{ alignSelf: 'flex-start' }}>
          {t('addPasskey')}
        </Button>
      </Stack>
    </form>
  );
}
