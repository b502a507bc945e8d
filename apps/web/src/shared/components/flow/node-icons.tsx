const LINES = {
  fill: 'none',
  stroke: 'currentcolor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

export function PanelIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" {...LINES}>
      <circle cx="12" cy="12" r="4.25" fill="var(--tone-fill)" />
      <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
    </svg>
  );
}

export function HouseIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" {...LINES}>
      <path d="M5 10.5V20h14v-9.5" fill="color-mix(in srgb, var(--tone-fill) 25%, transparent)" />
      <path d="M2.75 12 12 4l9.25 8" />
      <path d="M10 20v-5h4v5" fill="var(--tone-fill)" />
    </svg>
  );
}

export function PylonIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" {...LINES}>
      <path d="M7 21.5 10.5 2.5h3L17 21.5M8 16l7.9 0M5 7.5h14M6 11.5h12M5 7.5v1.75M19 7.5v1.75M8 16l6.9-4.5M16 16l-6.9-4.5" />
    </svg>
  );
}

/** Filled as far as the battery is. @param percent null is unknown */
export function BatteryIcon({ percent }: { readonly percent: number | null | undefined }) {
  const height = ((Math.min(100, Math.max(0, percent ?? 0)) / 100) * 14).toFixed(2);
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" {...LINES}>
      <rect x="8" y={20 - Number(height)} width="8" height={height} fill="var(--tone-fill)" stroke="none" />
      <path d="M9.75 4.5v-2h4.5v2" fill="currentcolor" />
      <rect x="7" y="4.75" width="10" height="16.5" rx="2" />
    </svg>
  );
}
