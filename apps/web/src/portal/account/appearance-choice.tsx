import { Input, type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

/** Light, dark, or as the machine has it; kept in this browser. */
export function AppearanceChoice() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const label = useId();
  const data = [
    { value: 'auto', label: t('preferences.auto') },
    { value: 'light', label: t('preferences.light') },
    { value: 'dark', label: t('preferences.dark') },
  ] satisfies { value: MantineColorScheme; label: string }[];
  return (
    <div>
      <Input.Label size="md" labelElement="div" display="block" mb={6} id={label}>
        {t('preferences.scheme')}
      </Input.Label>
      <SegmentedControl
        size="md"
        role="radiogroup"
        aria-labelledby={label}
        data={data}
        value={colorScheme}
        onChange={(chosen) => setColorScheme(chosen)}
      />
    </div>
  );
}
