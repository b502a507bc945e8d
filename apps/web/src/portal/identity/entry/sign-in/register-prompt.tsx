import type { ReactElement } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import classes from './register-prompt.module.css';

/** @param link the element around the words that lead to registration */
export function RegisterPrompt({ link }: { readonly link: ReactElement }) {
  const { t } = useTranslation('entry');
  return (
    <p className={classes.line}>
      <Trans t={t} i18nKey="signIn.new" components={{ register: link }} />
    </p>
  );
}
