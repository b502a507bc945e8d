import { createCloudClient, type PendingSignIn } from '@heliograph/client';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { cloud } from '../../session/cloud.ts';
import { signIn } from '../../session/session.ts';
import { CodeField } from './code-field.tsx';
import { FactorError } from './factor-error.tsx';
import { AppSetup, PasskeySetup } from './factor-setup.tsx';
import { mayUsePasskeys } from './passkey.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { PasskeyElsewhere } from './passkey-elsewhere.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';

interface SecondStepProps {
  readonly pendingToken: string;
  /** Whether it is a program that signs in, and waits for this page to finish it. */
  readonly isForProgram?: boolean;
  readonly onSignedIn?: (() => void) | undefined;
  /** Back to the password. */
  readonly onLeave: () => void;
}

/** Shows the second factor of a sign-in that waits for it, or sets up a first one. */
export function SecondStep({ pendingToken, isForProgram = false, onSignedIn, onLeave }: SecondStepProps) {
  const { t } = useTranslation('security');
  const [isDone, setDone] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['session', 'pending', pendingToken],
    queryFn: () => cloud.describePendingSignIn({ pending_token: pendingToken }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (isDone) return <PageTitle text={t('done')} focusOnMount />;
  if (error !== null) {
    return (
      <>
        <PageTitle text={t('over')} focusOnMount />
        <Button onClick={onLeave}>{t('again')}</Button>
      </>
    );
  }
  if (data === undefined) return <Loading />;
  const finish = async (): Promise<void> => {
    if (isForProgram) setDone(true);
    else {
      await signIn({ email: data.email, pending_token: pendingToken });
      onSignedIn?.();
    }
  };
  if (data.methods.length === 0) return <Enrolment pendingToken={pendingToken} onDone={finish} />;
  return (
    <SecondFactorForm
      pending={data}
      pendingToken={pendingToken}
      isForProgram={isForProgram}
      onShown={finish}
    />
  );
}

interface SecondFactorFormProps {
  readonly pending: PendingSignIn;
  readonly pendingToken: string;
  readonly isForProgram: boolean;
  readonly onShown: () => Promise<void>;
}

function SecondFactorForm({ pending, pendingToken, isForProgram, onShown }: SecondFactorFormProps) {
  const { t } = useTranslation('security');
  const { submit, isPending, error } = useSubmit(async (form: FormData) => {
    await cloud.showSecondFactor({ pending_token: pendingToken, otp: String(form.get('otp') ?? '') });
    await onShown();
  });
  return (
    <>
      <PageTitle text={t('stepTitle')} />
      <Text>{t('stepText', { email: pending.email })}</Text>
      {isForProgram && <Text fw={600}>{t('finishText', { address: pending.address ?? '?' })}</Text>}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <Stack gap="md">
          <PasskeyElsewhere {...pending} {...(isForProgram && { hash: `second_factor/${pendingToken}` })} />
          <CodeField methods={pending.methods} error={undefined} />
          <FactorError error={error} />
          <Button type="submit" loading={isPending}>
            {t('continue')}
          </Button>
          {pending.passkey !== null && (
            <PasskeyButton
              options={pending.passkey}
              act={async (passkey) => {
                await cloud.showSecondFactor({ pending_token: pendingToken, passkey });
                await onShown();
              }}
            />
          )}
        </Stack>
      </form>
    </>
  );
}

interface EnrolmentProps {
  readonly pendingToken: string;
  readonly onDone: () => Promise<void>;
}

/** Sets up the first second factor of a member whose organization requires one, before the sign-in. */
function Enrolment({ pendingToken, onDone }: EnrolmentProps) {
  const { t } = useTranslation('security');
  // The pages' own paths take the cookie alone, and there is no session yet.
  const [enrolling] = useState(() => createCloudClient({ url: '', token: pendingToken, retry: false }));
  const [codes, setCodes] = useState<readonly string[]>();
  const { submit, isPending, error } = useSubmit(() => onDone());
  return (
    <>
      <PageTitle text={codes === undefined ? t('enrolTitle') : t('codes')} focusOnMount />
      {codes === undefined ? (
        <Stack gap="xl">
          <Text>{t('enrolText')}</Text>
          <AppSetup cloud={enrolling} onAdded={(made) => setCodes(made ?? [])} />
          {mayUsePasskeys() && <PasskeySetup cloud={enrolling} onAdded={(made) => setCodes(made ?? [])} />}
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
