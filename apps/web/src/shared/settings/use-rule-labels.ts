import type { MetricDefinition } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormatValue } from '../metrics/use-format-value.ts';
import type { ControlRule } from './control-rule.ts';
import type { DraftProblem } from './drafts.ts';
import { timeStepMinutes } from './time-step.ts';

interface RuleLabels {
  /** The accepted values of a setting, where its control does not show them; empty otherwise. */
  readonly hint: string;
  problem(problem: DraftProblem): string;
}

export function useRuleLabels({ unit }: MetricDefinition, rule: ControlRule | null): RuleLabels {
  const { t } = useTranslation('settings');
  const shown = useFormatValue();
  const bounds =
    rule?.kind === 'number' && Number.isFinite(rule.min) && Number.isFinite(rule.max)
      ? { min: shown(rule.min, unit), max: shown(rule.max, unit), step: shown(rule.step, unit) }
      : null;
  const minutes = rule?.kind === 'time' ? timeStepMinutes(rule.options) : 1;

  const hint = (): string => {
    if (bounds !== null && rule?.kind === 'number') {
      return rule.step > 0 && rule.step !== 1 ? t('rangeInSteps', bounds) : t('range', bounds);
    }
    return minutes > 1 ? t('timesApart', { count: minutes }) : '';
  };
  const problem = (which: DraftProblem): string => {
    switch (which) {
      case 'notNumber':
        return t('problem.notNumber');
      case 'outOfRange':
        return bounds === null ? t('problem.notNumber') : t('problem.outOfRange', bounds);
      case 'offStep':
        return bounds === null ? t('problem.notNumber') : t('problem.offStep', bounds);
      case 'notOption':
        return rule?.kind === 'time' && minutes > 1
          ? t('problem.timesApart', { count: minutes })
          : t('problem.choose');
    }
  };
  return { hint: hint(), problem };
}
