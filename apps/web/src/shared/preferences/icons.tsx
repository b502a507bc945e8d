import type { ReactNode } from 'react';

function Line({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      width={18}
      height={18}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function Globe() {
  return (
    <Line>
      <circle cx={12} cy={12} r={9} />
      <path d="M3 12h18M12 3c3 3 3.8 6 3.8 9s-.8 6-3.8 9c-3-3-3.8-6-3.8-9s.8-6 3.8-9z" />
    </Line>
  );
}

export function SunOutline() {
  return (
    <Line>
      <circle cx={12} cy={12} r={4} />
      <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
    </Line>
  );
}

export function Moon() {
  return (
    <Line>
      <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z" />
    </Line>
  );
}

export function Screen() {
  return (
    <Line>
      <rect x={3} y={4.5} width={18} height={12} rx={2} />
      <path d="M9 20h6" />
    </Line>
  );
}
