import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import classes from './live-banner.module.css';
import { type Banner, useBannerState } from './use-banner-state.ts';

/** Says how live the values of the page are: a small mark when they are, plainly what is wrong when they are not. */
export function LiveBanner() {
  return <LiveBannerView {...useBannerState()} />;
}

/** The banner in a state that somebody else knows. */
export function LiveBannerView({ state, valuesUntil }: Banner) {
  const { t } = useTranslation('site');
  const format = useFormat();
  const from =
    valuesUntil === undefined ? undefined : t('live.valuesFrom', { time: format.time(valuesUntil) });
  return (
    <div role="status" className={classes.banner}>
      {state === 'live' && <Mark text={t('live.live')} isLive />}
      {state === 'connecting' && <Mark text={t('live.connecting')} />}
      {state === 'reconnecting' && <Notice tone="warning" text={t('live.reconnecting')} more={from} />}
      {state === 'away' && <Notice tone="warning" text={t('live.away')} more={from} />}
      {state === 'browser-offline' && <Notice tone="warning" text={t('live.browserOffline')} more={from} />}
      {state === 'refused' && <Notice tone="danger" text={t('live.refused')} more={t('live.refusedHint')} />}
      {state === 'stale' && <Notice tone="warning" text={t('live.stale')} more={t('live.staleHint')} />}
    </div>
  );
}

function Mark({ text, isLive = false }: { readonly text: string; readonly isLive?: boolean }) {
  return (
    <span className={classes.mark} data-live={isLive || undefined}>
      {text}
    </span>
  );
}

interface NoticeProps {
  readonly tone: 'warning' | 'danger';
  readonly text: string;
  readonly more: string | undefined;
}

/** No alert by itself: the region around it is announced, once the reader is done with what they are at. */
function Notice({ tone, text, more }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone}>
      <p className={classes.what}>{text}</p>
      {more !== undefined && <p className={classes.more}>{more}</p>}
    </div>
  );
}
