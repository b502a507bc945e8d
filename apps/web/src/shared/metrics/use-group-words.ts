import { useTranslation } from 'react-i18next';

/** What the groups of metrics are called; one that we do not know keeps the device's name for it. */
export function useGroupLabel(): (group: string) => string {
  const { t } = useTranslation('site');
  return (group) => {
    switch (group) {
      case 'Status':
        return t('metrics.group.status');
      case 'Settings':
        return t('metrics.group.settings');
      case 'Info':
        return t('metrics.group.info');
      default:
        return group;
    }
  };
}
