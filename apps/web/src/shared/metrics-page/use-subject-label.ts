import { useTranslation } from 'react-i18next';
import type { Subject } from './subjects.ts';

export function useSubjectLabel(): (subject: Subject) => string {
  const { t } = useTranslation('metrics');
  const { t: ofSite } = useTranslation('site');
  return (subject) => {
    switch (subject) {
      case 'power':
        return t('subject.power');
      case 'energy':
        return t('subject.energy');
      case 'battery':
        return ofSite('energy.battery');
      case 'cells':
        return t('subject.cells');
      case 'temperatures':
        return t('subject.temperatures');
      case 'states':
        return t('subject.states');
      case 'settings':
        return t('subject.settings');
      case 'system':
        return ofSite('metrics.device.system');
    }
  };
}
