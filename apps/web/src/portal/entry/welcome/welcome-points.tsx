import { useTranslation } from 'react-i18next';
import classes from './welcome.module.css';

/** What speaks for it. */
export function WelcomePoints() {
  const { t } = useTranslation('entry');
  return (
    <ul className={classes.points}>
      <Point title={t('welcome.live.title')} text={t('welcome.live.text')} />
      <Point title={t('welcome.control.title')} text={t('welcome.control.text')} />
      <Point title={t('welcome.private.title')} text={t('welcome.private.text')} />
    </ul>
  );
}

function Point({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <li className={classes.point}>
      <h2>{title}</h2>
      <p>{text}</p>
    </li>
  );
}
