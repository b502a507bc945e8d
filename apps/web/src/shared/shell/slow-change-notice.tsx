import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { hasPendingChanges, onPendingChanges } from '../browser/pending-changes.ts';
import { useIsSlow } from '../components/states/use-is-slow.ts';

/** Announces that a change takes long, wherever it was sent from: a button that waits has no words. */
export function SlowChangeNotice() {
  const { t } = useTranslation();
  const isSlow = useIsSlow(useSyncExternalStore(onPendingChanges, hasPendingChanges));
  return (
    <div id="slow-change" role="status">
      {isSlow && t('slow')}
    </div>
  );
}
