import { switchLocale } from '../../shared/i18n/switch-locale.ts';
import { LanguageSwitch } from '../../shared/preferences/language-switch.tsx';
import { SchemeSwitch } from '../../shared/preferences/scheme-switch.tsx';
import classes from './preferences.module.css';

/** Language, and light or dark, as this browser is to show the device. */
export function Preferences() {
  return (
    <div className={classes.preferences}>
      <LanguageSwitch onChange={(locale) => void switchLocale(locale)} />
      <SchemeSwitch />
    </div>
  );
}
