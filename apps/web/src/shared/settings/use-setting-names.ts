import type { MetricDefinition } from '@heliograph/client';
import { slotOf } from '@heliograph/metrics';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { numberIn, textKey } from '../metric-names/text-key.ts';

export interface SettingNames {
  /** The name of a setting in the reader's language; what the catalogue lacks, as the hardware has it. */
  readonly nameOf: (name: string) => string;
  /** An option, likewise. */
  readonly optionOf: (option: string) => string;
  /** The effect of a setting, where its name does not show it; empty otherwise. */
  readonly helpOf: (definition: Pick<MetricDefinition, 'name' | 'min'>) => string;
}

/** Names, options and help of settings; the same object until the language changes. */
export function useSettingNames(): SettingNames {
  const { t } = useTranslation('settingNames');
  return useMemo(() => {
    // The key of every name need not be in the catalogue: the compiler is shown one that is.
    const known = (name: string): string =>
      t(`names.${textKey(name)}` as 'names.work_mode', { defaultValue: '' });
    const nameOf = (name: string): string => {
      const text = known(name);
      if (text !== '') return text;
      const slot = slotOf(name);
      if (slot === undefined) return name;
      const field = known(slot.field) || slot.field;
      const table = slot.table === '' ? '' : known(slot.table) || slot.table;
      return table === '' ? `${field} ${slot.number}` : `${table} ${slot.number}: ${field}`;
    };
    const help = (key: string): string => t(`help.${key}` as 'help.use_timer', { defaultValue: '' });
    return {
      nameOf,
      optionOf: (option) =>
        t(`options.${textKey(option)}` as 'options.enabled', {
          number: numberIn(option),
          defaultValue: option,
        }),
      helpOf: ({ name, min }) => {
        const key = textKey(slotOf(name)?.field ?? name);
        if (min === -1) return help('no_limit');
        return ((min ?? 0) < 0 && help(`${key}_negative`)) || help(key);
      },
    };
  }, [t]);
}
