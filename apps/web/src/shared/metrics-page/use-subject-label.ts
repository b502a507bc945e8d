import { useTranslation } from 'react-i18next';
import type { Subject } from './subjects.ts';

export function useSubjectLabel(): (subject: Subject) => string {
  const { t } = useTranslation('site');
  return (subject) => {
    switch (subject) {
      case 'power':
        return t('metrics.subject.power');
      case 'energy':
        return t('metrics.subject.energy');
      case 'battery':
        return t('energy.battery');
      case 'cells':
        return t('metrics.subject.cells');
      case 'temperatures':
        return t('metrics.subject.temperatures');
      case 'states':
        return t('metrics.subject.states');
      case 'settings':
        return t('metrics.subject.settings');
      case 'system':
        return t('metrics.device.system');
    }
  };
}
