import type { MetricDefinition } from '@heliograph/client';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { namePartsOf, numberIn, textKey } from './text-key.ts';

export interface MetricNames {
  /** The name of a metric in the reader's language; one that the catalogue lacks as the hardware has it. */
  readonly nameOf: (definition: Pick<MetricDefinition, 'name'>) => string;
  /** A state such as "Charging", likewise. */
  readonly stateOf: (state: string) => string;
}

/** Hardware has English names. */
const AS_IT_IS: MetricNames = { nameOf: ({ name }) => name, stateOf: (state) => state };

/** Names of metrics and texts of states; the same object until the language changes. */
export function useMetricNames(): MetricNames {
  const { t, i18n } = useTranslation('metricNames');
  const { language } = i18n;
  return useMemo(() => {
    if (language === 'en') return AS_IT_IS;
    return {
      nameOf: ({ name: original }) => {
        const { key, period, number } = namePartsOf(original);
        // Not every key is in the catalogue; the compiler sees one that is.
        const text: string = t(`names.${key}` as 'names.power', { defaultValue: '' });
        if (text === '') return original;
        const name = number === undefined ? text : `${text} ${number}`;
        switch (period) {
          case 'day':
            return t('periods.day', { name });
          case 'total':
            return t('periods.total', { name });
          default:
            return name;
        }
      },
      stateOf: (state) =>
        t(`states.${textKey(state)}` as 'states.idle', { number: numberIn(state), defaultValue: state }),
    };
  }, [t, language]);
}
