import { LANGUAGE_NAMES, LOCALES, type Locale, tagOf } from '@heliograph/contracts/locales';
import { NativeSelect } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../i18n/i18n.ts';
import { localeMissing } from '../i18n/locale-missing.ts';
import { Globe } from './icons.tsx';

interface LanguageSwitchProps {
  /** Shown above it, as in forms. */
  readonly label?: string;
  readonly onChange: (locale: Locale) => void;
}

/** The languages, each as its speakers call it. */
export function LanguageSwitch({ label, onChange }: LanguageSwitchProps) {
  const { t, i18n } = useTranslation();
  const isMissing = useSyncExternalStore(localeMissing.subscribe, localeMissing.get);
  return (
    <NativeSelect
      {...(label === undefined ? { 'aria-label': t('preferences.language') } : { label })}
      leftSection={<Globe />}
      error={isMissing && <span role="alert">{t('preferences.languageFailed')}</span>}
      value={localeOf(i18n.language)}
      onChange={({ currentTarget }) => onChange(localeOf(currentTarget.value))}
    >
      {LOCALES.map((locale) => (
        <option key={locale} value={locale} lang={tagOf(locale)}>
          {LANGUAGE_NAMES[locale]}
        </option>
      ))}
    </NativeSelect>
  );
}
