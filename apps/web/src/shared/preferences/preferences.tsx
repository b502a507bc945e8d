import type { Locale } from '@heliograph/contracts';
import { Group } from '@mantine/core';
import { switchLocale } from '../i18n/switch-locale.ts';
import { LanguageSwitch } from './language-switch.tsx';
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
    <Group gap="sm">
      <LanguageSwitch onChange={(locale) => void choose(locale)} />
      <SchemeSwitch />
    </Group>
  );
}
