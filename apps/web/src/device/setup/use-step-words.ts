import { useTranslation } from 'react-i18next';
import type { SetupStep } from './steps.ts';

/** What each step is for. */
export function useStepLabels(): Readonly<Record<SetupStep, string>> {
  const { t } = useTranslation('configuration');
  return { hardware: t('setup.hardware'), time: t('setup.time'), claim: t('setup.claim') };
}
