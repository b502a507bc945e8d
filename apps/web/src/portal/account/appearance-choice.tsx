import { type MantineColorScheme, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const SCHEMES = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];

const LABELS = {
  auto: 'preferences.auto',
  light: 'preferences.light',
  dark: 'preferences.dark',
} as const satisfies Record<MantineColorScheme, string>;

/** Light, dark, or as the machine has it; kept in this browser. */
export function AppearanceChoice() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <NativeSelect
      label={t('preferences.scheme')}
      maw="24rem"
      value={colorScheme}
      data={SCHEMES.map((scheme) => ({ value: scheme, label: t(LABELS[scheme]) }))}
      onChange={({ currentTarget: { value } }) =>
        setColorScheme(SCHEMES.find((scheme) => scheme === value) ?? 'auto')
      }
    />
  );
}
