import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { AWAY_AFTER_MS, type BannerState, bannerState } from './banner-state.ts';
import classes from './live-banner.module.css';
import { useDefinitions, useLive, useLiveStatus } from './live-context.tsx';
import type { LiveStatus } from './live-values.ts';

/** Shows how live the values of the page are: a small mark when they are live, otherwise the problem. */
export function LiveBanner() {
  return <LiveBannerView {...useBannerState()} />;
}

/** Shows the problem with the values of the page; for pages that say elsewhere whether they are live. */
export function LiveNotice() {
  return <LiveBannerView {...useBannerState()} hasMark={false} />;
}

/** How live the values of the page are. */
export function useLiveState(): BannerState {
  return useBannerState().state;
}

/** The powers of the home: when none of them can be read, nothing of the hardware can. */
const POWERS = ['total/pv_power', 'total/load_power', 'total/grid_power', 'total/battery_power'];

interface Banner {
  readonly state: BannerState;
  /** Since when the values are old, in milliseconds since 1970; undefined while they are not, or while there are none. */
  readonly valuesUntil: number | undefined;
}

function useBannerState(): Banner {
  const status = useLiveStatus();
  const hasValues = useDefinitions().length > 0;
  const isAllStale = useAllStale();
  const isBrowserOnline = useSyncExternalStore(onConnection, () => navigator.onLine);
  const nowMs = useTimeOnce(status.since + AWAY_AFTER_MS);
  const state = bannerState({ status, hasValues, isAllStale, isBrowserOnline, nowMs });
  return { state, valuesUntil: useValuesUntil(state, hasValues ? status : undefined) };
}

function useValuesUntil(state: BannerState, status: LiveStatus | undefined): number | undefined {
  const { values } = useLive();
  if (state !== 'stale') return status?.state === 'reconnecting' ? status.since : undefined;
  const times = POWERS.map((topic) => values.get(topic)?.readAt).filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

function useAllStale(): boolean {
  const { values } = useLive();
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = POWERS.map((topic) => values.onValue(topic, listener));
      return () => ends.forEach((end) => void end());
    },
    [values],
  );
  return useSyncExternalStore(subscribe, () => {
    const known = POWERS.map((topic) => values.get(topic)).filter((value) => value !== undefined);
    return known.length > 0 && known.every(({ stale }) => stale);
  });
}

/** Renders once more when a time has come. @returns now, in milliseconds since 1970 */
function useTimeOnce(atMs: number): number {
  const [, setPassed] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(atMs), Math.max(0, atMs - Date.now()) + 50);
    return () => clearTimeout(timer);
  }, [atMs]);
  return Date.now();
}

function onConnection(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** The banner in a given state. */
export function LiveBannerView({
  state,
  valuesUntil,
  hasMark = true,
}: Banner & { readonly hasMark?: boolean }) {
  const { t } = useTranslation('site');
  const format = useFormat();
  const from =
    valuesUntil === undefined ? undefined : t('live.valuesFrom', { time: format.time(valuesUntil) });
  return (
    <div role="status" className={hasMark ? classes.banner : classes.notices}>
      {hasMark && state === 'live' && <Mark text={t('live.live')} isLive />}
      {hasMark && state === 'connecting' && <Mark text={t('live.connecting')} />}
      {state === 'reconnecting' && <Notice tone="warning" text={t('live.reconnecting')} more={from} />}
      {state === 'away' && <Notice tone="warning" text={t('live.away')} more={from} />}
      {state === 'browser-offline' && <Notice tone="warning" text={t('live.browserOffline')} more={from} />}
      {state === 'refused' && <Notice tone="danger" text={t('live.refused')} more={t('live.refusedHint')} />}
      {state === 'stale' && (
        <Notice
          tone="warning"
          text={t('live.stale')}
          more={[from, t('live.staleHint')].filter(Boolean).join(' ')}
        />
      )}
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
