import type { ReactNode } from 'react';

/** Line drawings of the navigation; the words beside them say what they are. */
export const HOME = <path d="M4 11.5 12 5l8 6.5M6.5 10v9h11v-9" />;
export const CURVE = <path d="M4 4v16h16M7 15l3.5-5 3.5 3 5-7" />;
export const SLIDERS = (
  <path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 7m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 17m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0" />
);
export const LINK = (
  <path d="M9.5 14.5l5-5M8 12l-2 2a3.5 3.5 0 0 0 5 5l2-2M16 12l2-2a3.5 3.5 0 0 0-5-5l-2 2" />
);
export const LIST = <path d="M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01" />;
export const WRENCH = (
  <path d="M14.5 6.5a4 4 0 0 1 5-1l-2.7 2.7 1 1 2.7-2.7a4 4 0 0 1-5.4 5L7.5 19a2 2 0 0 1-2.8-2.8l7.7-7.6a4 4 0 0 1 2.1-2.1z" />
);
export const DOTS = <path d="M6 12h.01M12 12h.01M18 12h.01" strokeWidth="3" />;

export function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="22"
      height="22"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}
