import type { ProxySummary } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { cloud } from '../../session/cloud.ts';

interface ProxyActionsProps {
  readonly proxy: ProxySummary;
  readonly onChanged: () => void;
}

/** What can be done with a proxy in its state. */
export function ProxyActions({
  proxy: { name, state, drain_wanted: isDrainWanted },
  onChanged,
}: ProxyActionsProps) {
  const { t } = useTranslation('operator');
  return (
    <>
      {isDrainWanted ? (
        <ConfirmedButton
          label={t('proxies.undrain')}
          description={t('proxies.undrainThat', { name })}
          title={t('proxies.undrainTitle', { name })}
          tone="primary"
          act={() => cloud.proxies.undrain(name)}
          onDone={onChanged}
        >
          {t('proxies.undrainText')}
        </ConfirmedButton>
      ) : (
        <ConfirmedButton
          label={t('proxies.drain')}
          description={t('proxies.drainThat', { name })}
          title={t('proxies.drainTitle', { name })}
          act={() => cloud.proxies.drain(name)}
          onDone={onChanged}
        >
          {t('proxies.drainText')}
        </ConfirmedButton>
      )}
      {state === 'gone' && (
        <ConfirmedButton
          label={t('proxies.forget')}
          description={t('proxies.forgetThat', { name })}
          title={t('proxies.forgetTitle', { name })}
          act={() => cloud.proxies.forget(name)}
          onDone={onChanged}
        >
          {t('proxies.forgetText')}
        </ConfirmedButton>
      )}
    </>
  );
}
