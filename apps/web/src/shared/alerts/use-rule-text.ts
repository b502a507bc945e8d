import type { AlertRule } from '@heliograph/contracts';
import { compileGlob } from '@heliograph/metrics';
import { useTranslation } from 'react-i18next';
import { useDeviceLabel } from '../format/device-label.ts';
import { useFormat } from '../format/use-format.ts';
import { useDefinitions } from '../live/live-context.tsx';
import { RULE_NAMES } from './rule-names.ts';

interface RuleText {
  readonly title: string;
  /** The condition in numbers; undefined where the title has it all. */
  readonly sentence: string | undefined;
}

/** How a rule is written: built-in ones by their names, those of the owner as sentences. */
export function useRuleText(): (rule: AlertRule) => RuleText {
  const { t } = useTranslation('alerts');
  const { number } = useFormat();
  const heading = useDeviceLabel();
  const definitions = useDefinitions();
  return ({ id, name, source, condition }) => {
    const { kind, topics, limit, values, for_s: seconds } = condition;
    const matches = topics.map(compileGlob);
    const found = definitions.find(({ topic }) => matches.some((match) => match(topic)));
    const isOne = topics.length === 1 && topics[0] === found?.topic;
    const metric =
      found === undefined
        ? topics.join(', ')
        : isOne
          ? `${heading(found.device, found.number)}: ${found.name}`
          : found.name;
    const unit = found === undefined || found.unit === '' ? '' : ` ${found.unit}`;
    const filled = {
      name: metric,
      limit: limit === undefined ? (values ?? []).join(', ') : `${number(limit)}${unit}`,
      minutes: number(Math.round(seconds / 6) / 10),
    };
    const sentence =
      kind === 'above'
        ? t('rules.sentenceAbove', filled)
        : kind === 'below'
          ? t('rules.sentenceBelow', filled)
          : kind === 'equals'
            ? t('rules.sentenceIs', filled)
            : kind === 'unchanged' && source === 'owner'
              ? t('rules.sentenceUnchanged', filled)
              : undefined;
    // A newer device has rules that this page does not know by name.
    const key = Object.hasOwn(RULE_NAMES, id) ? RULE_NAMES[id as keyof typeof RULE_NAMES] : undefined;
    const title = name ?? (key === undefined ? (sentence ?? id) : t(key));
    // A home without such a value reads no patterns of topics.
    const isShown = title !== sentence && (found !== undefined || source !== 'built_in');
    return { title, sentence: isShown ? sentence : undefined };
  };
}
