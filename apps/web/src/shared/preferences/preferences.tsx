import type { Locale } from '@heliograph/contracts';
import { switchLocale } from '../i18n/switch-locale.ts';
import { LanguageSwitch } from './language-switch.tsx';
import classes from './preferences.module.css';
import { SchemeSwitch } from './scheme-switch.tsx';

interface PreferencesProps {
  /** Stores the choice of a language elsewhere than in this browser. */
  readonly onLocale?: (locale: Locale) => void;
}

/** The language, and light or dark. */
export function Preferences({ onLocale }: PreferencesProps) {
  const choose = async (locale: Locale): Promise<void> => {
    if (await switchLocale(locale)) onLocale?.(locale);
  };
  return (
    <div className={classes.preferences}>
      <LanguageSwitch onChange={(locale) => void choose(locale)} />
      <SchemeSwitch />
    </div>
  );
}
