import { useTranslation } from 'react-i18next';
import type { Step } from './steps.ts';

/** What each step is for. */
export function useStepWords(): Readonly<Record<Step, string>> {
  const { t } = useTranslation('configuration');
  return { hardware: t('setup.hardware'), time: t('setup.time'), claim: t('setup.claim') };
}
