import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ChoiceBar } from '../components/choice/choice-bar.tsx';
import { Moon, Screen, SunOutline } from './icons.tsx';

/** Light, dark, or the system's scheme. */
export function SchemeSwitch() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choices = [
    { value: 'light', label: t('preferences.light'), icon: <SunOutline /> },
    { value: 'dark', label: t('preferences.dark'), icon: <Moon /> },
    { value: 'auto', label: t('preferences.auto'), icon: <Screen /> },
  ] as const;
  return (
    <ChoiceBar<MantineColorScheme>
      label={t('preferences.scheme')}
      choices={choices}
      value={colorScheme}
      onChange={setColorScheme}
    />
  );
}
