import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { BarePage } from '../../frame/bare-page.tsx';
import { cloud } from '../../session/cloud.ts';
import { usePortalSession } from '../../session/session.ts';
import { BotCheckFrame, useBotCheck } from './form/bot-check.tsx';
import { emailState, useCarriedEmail } from './form/carried-email.ts';
import { EntryError } from './form/entry-error.tsx';
import { emailMessage } from './form/field-messages.ts';
import { formText } from './form/form-text.ts';
import { MailboxLink } from './form/mailbox-link.tsx';
import { rejectFields } from './form/reject-fields.ts';
import { TextLink } from './form/text-link.tsx';

/** Requests a mail with a link to a new password. The answer does not reveal whether there is an account. */
export function Page() {
  const { t } = useTranslation('entry');
  const { user } = usePortalSession();
  const carried = useCarriedEmail();
  const [email, setEmail] = useState(carried ?? user?.email ?? '');
  const [mailed, setMailed] = useState<string>();
  return (
    <BarePage>
      {mailed === undefined ? (
        <ForgotForm email={email} onType={setEmail} onMailed={setMailed} />
      ) : (
        <Mailed email={mailed} />
      )}
      <Text ta="center">
        <Trans
          t={t}
          i18nKey="forgot.back"
          components={{ signIn: <TextLink href="/sign_in" state={emailState(email)} /> }}
        />
      </Text>
    </BarePage>
  );
}

interface ForgotFormProps {
  readonly email: string;
  readonly onType: (email: string) => void;
  readonly onMailed: (email: string) => void;
}

function ForgotForm({ email: typed, onType, onMailed }: ForgotFormProps) {
  const { t } = useTranslation('entry');
  const { home } = usePortalSession();
  const check = useBotCheck();
  const { submit, isPending, fields, error } = useSubmit(
    async (form: FormData) => {
      const email = formText(form, 'email').trim();
      rejectFields({ email: email === '' ? t('fields.emailMissing') : undefined });
      const request = cloud.requestPasswordReset({
        email,
        organization_id: home?.id ?? 'none',
        verification_token: await check.token(),
      });
      await request.catch((failure: unknown) => {
        check.restart();
        throw failure;
      });
      return email;
    },
    { onDone: onMailed },
  );
  return (
    <>
      <PageTitle text={t('forgot.title')} />
      <Text>{t('forgot.text')}</Text>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <Stack gap="md">
          <TextInput
            name="email"
            type="email"
            label={t('fields.email')}
            autoComplete="username"
            maxLength={320}
            defaultValue={typed}
            onChange={(event) => onType(event.currentTarget.value)}
            error={emailMessage(fields.email, t)}
          />
          <BotCheckFrame check={check} error={fields.verification_token} />
          <EntryError error={error} />
          <Button type="submit" loading={isPending}>
            {t('forgot.submit')}
          </Button>
        </Stack>
      </form>
    </>
  );
}

function Mailed({ email }: { readonly email: string }) {
  const { t } = useTranslation('entry');
  return (
    <>
      <PageTitle text={t('forgot.sentTitle')} focusOnMount />
      <Text>
        <Trans
          t={t}
          i18nKey="forgot.sent"
          values={{ email }}
          components={{ strong: <strong style={{ overflowWrap: 'anywhere' }} /> }}
        />
      </Text>
      <MailboxLink />
    </>
  );
}
