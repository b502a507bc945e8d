import { ApiError } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { BarePage } from '../frame/bare-page.tsx';
import { signIn } from '../session/session.ts';
import { OwnPageError } from './own-page-error.tsx';
import { PasswordHint } from './password-hint.tsx';
import classes from './sign-in.module.css';

/** On the network of the home: the device password lets in. */
export function Page() {
  const { t } = useTranslation('device');
  const [password, setPassword] = useState('');
  const { submit, isPending, error } = useSubmit(signIn);
  const isWrong = error instanceof ApiError && error.status === 401;
  return (
    <BarePage title={t('signIn.title')}>
      <PasswordHint />
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit(password);
        }}
      >
        <OwnPageError error={isWrong ? undefined : error} />
        <PasswordField
          label={t('signIn.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus
          value={password}
          error={isWrong && t('signIn.wrong')}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending}>
          {t('signIn.send')}
        </Button>
      </form>
    </BarePage>
  );
}
