/** The sun of our logo. */
export function Sun({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="7" fill="var(--hg-solar-fill)" />
      <path
        d="M16 2.5v3M16 26.5v3M2.5 16h3M26.5 16h3M6.5 6.5l2 2M23.5 23.5l2 2M6.5 25.5l2-2M23.5 8.5l2-2"
        stroke="var(--hg-solar-fill)"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  );
}
