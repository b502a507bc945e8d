import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Moon, Screen, SunOutline } from './icons.tsx';
import classes from './scheme-switch.module.css';

/** Light, dark, or as the system has it. */
export function SchemeSwitch() {
  const { t } = useTranslation();
  const name = useId();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choices: readonly (readonly [MantineColorScheme, string, typeof Moon])[] = [
    ['light', t('preferences.light'), SunOutline],
    ['dark', t('preferences.dark'), Moon],
    ['auto', t('preferences.auto'), Screen],
  ];
  return (
    <fieldset className={classes.schemes}>
      <legend className={classes.legend}>{t('preferences.scheme')}</legend>
      {choices.map(([scheme, label, Icon]) => (
        <label key={scheme} className={classes.scheme} title={label}>
          <input
            type="radio"
            name={name}
            aria-label={label}
            checked={colorScheme === scheme}
            onChange={() => setColorScheme(scheme)}
          />
          <Icon />
        </label>
      ))}
    </fieldset>
  );
}
