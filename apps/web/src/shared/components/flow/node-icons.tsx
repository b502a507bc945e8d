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
      <path d="M7.5 21.5 11 2.5h2l3.5 19" fill="color-mix(in srgb, var(--tone-fill) 25%, transparent)" />
      <path d="M4 6.5h16M5 11h14M4 6.5v2M20 6.5v2M5 11v2M19 11v2M8.2 18l7-6.8M15.8 18l-7-6.8" />
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
