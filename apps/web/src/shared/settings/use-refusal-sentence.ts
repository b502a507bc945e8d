import type { MetricValue } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import type { Refusal } from './refusal.ts';
import { useSettingNames } from './use-setting-names.ts';

/** Puts into the reader's language why a setting was not changed, or is not known to be. */
export function useRefusalSentence(): (refusal: Refusal) => string {
  const { t } = useTranslation('settingNames');
  const { t: ofSettings } = useTranslation('settings');
  const { optionOf } = useSettingNames();
  const format = useFormat();
  const label = (value: MetricValue | undefined): string => optionOf(String(value ?? '–'));
  const sentence = ({ text, now, wanted, again }: Refusal): string => {
    switch (text) {
      case 'refusals.altered':
        return t('refusals.altered', { now: label(now), wanted: label(wanted) });
      case 'refusals.tooOften':
        return t('refusals.tooOften', { at: again === undefined ? '–' : format.dateTime(again) });
      default:
        return t(text);
    }
  };
  return (refusal) => {
    const { settlesBy } = refusal;
    if (settlesBy === undefined) return sentence(refusal);
    return `${sentence(refusal)} · ${ofSettings('log.settlesBy', { at: format.dateTime(settlesBy) })}`;
  };
}
