import { Group } from '@mantine/core';
import { switchLocale } from '../../shared/i18n/switch-locale.ts';
import { LanguageSwitch } from '../../shared/preferences/language-switch.tsx';
import { SchemeSwitch } from '../../shared/preferences/scheme-switch.tsx';

/** Language, and light or dark, as this browser is to show the device. */
export function Preferences() {
  return (
    <Group gap="0.5rem 1rem">
      <LanguageSwitch onChange={(locale) => void switchLocale(locale)} />
      <SchemeSwitch />
    </Group>
  );
}
