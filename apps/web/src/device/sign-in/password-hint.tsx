import { useTranslation } from 'react-i18next';
import classes from './password-hint.module.css';

/** Which password it is: people have more than one. */
export function PasswordHint() {
  const { t } = useTranslation('device');
  return <p className={classes.hint}>{t('signIn.forgotten')}</p>;
}
