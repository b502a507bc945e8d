import type { RecoverySession } from '@heliograph/contracts';
import { NativeSelect } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ACCESS_LEVELS, durationOptions } from './labels.ts';

interface AccessFieldsProps {
  readonly access: GetInputPropsReturnType;
  readonly hours: GetInputPropsReturnType;
  /** The most that may be chosen. */
  readonly most?: Pick<RecoverySession, 'access' | 'hours'>;
}

/** How far access goes, and for how long. */
export function AccessFields({ access, hours, most = { access: 'settings', hours: 72 } }: AccessFieldsProps) {
  const { t, i18n } = useTranslation('recovery');
  const levels = ACCESS_LEVELS.slice(0, ACCESS_LEVELS.indexOf(most.access) + 1);
  const chosen = levels.find((level) => level === access.value) ?? 'diagnose';
  return (
    <>
      <NativeSelect
        label={t('access')}
        description={t(`accessHints.${chosen}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={levels.map((level) => ({ value: level, label: t(`accesses.${level}`) }))}
        {...access}
      />
      <NativeSelect label={t('duration')} data={durationOptions(i18n.language, most.hours)} {...hours} />
    </>
  );
}
