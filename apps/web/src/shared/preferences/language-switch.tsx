import type { Locale } from '@heliograph/contracts';
import { NativeSelect } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, LOCALES, localeOf } from '../i18n/languages.ts';
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
        <option key={locale} value={locale} lang={LANGUAGES[locale].tag}>
          {LANGUAGES[locale].name}
        </option>
      ))}
    </NativeSelect>
  );
}
