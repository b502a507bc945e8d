import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { PasswordField } from '../../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { cloud } from '../../session/cloud.ts';
import { CodeField } from './code-field.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PasskeyElsewhere } from './passkey-elsewhere.tsx';

/** Requests another proof of identity when the last sign-in was a while ago. */
export function FreshSignInDialog({ onClose }: { readonly onClose: (proved: boolean) => void }) {
  const { t } = useTranslation('security');
  const { t: shared } = useTranslation();
  const options = useQuery({
    queryKey: ['account', 'confirmation'],
    queryFn: () => cloud.describeSessionConfirmation(),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = options;
  const takesPassword = data?.methods.includes('password') === true;
  const { submit, isPending, fields, error } = useSubmit(
    (form: FormData) => {
      const typed = String(form.get(takesPassword ? 'password' : 'otp') ?? '');
      return cloud.confirmSession(takesPassword ? { password: typed } : { otp: typed });
    },
    { onDone: () => onClose(true) },
  );
  return (
    <Modal
      opened
      title={t('freshTitle')}
      onClose={() => onClose(false)}
      closeButtonProps={{ 'aria-label': shared('close'), size: 44 }}
      radius={12}
      styles={{ title: { fontSize: '1.1rem', fontWeight: 650 } }}
      // Its header is none of the page.
      attributes={{ header: { role: 'presentation' } }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <Stack gap="md">
          <Text>{t('freshText')}</Text>
          {data !== undefined && takesPassword && (
            <PasswordField
              name="password"
              label={t('password')}
              autoComplete="current-password"
              autoFocus
              error={fields.password && t('passwordWrong')}
            />
          )}
          {data !== undefined && <PasskeyElsewhere {...data} />}
          {data !== undefined && !takesPassword && (
            <CodeField methods={data.methods} error={fields.otp && t('refused')} />
          )}
          <FormError error={error ?? options.error} />
          <Button type="submit" loading={isPending || options.isPending} disabled={data === undefined}>
            {t('confirm')}
          </Button>
          {data?.passkey && (
            <PasskeyButton
              options={data.passkey}
              act={async (passkey) => {
                await cloud.confirmSession({ passkey });
                onClose(true);
              }}
            />
          )}
        </Stack>
      </form>
    </Modal>
  );
}
