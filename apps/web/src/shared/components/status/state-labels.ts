import type { SiteState } from '@heliograph/client';

/** Keys of the names of states. */
export const STATE_LABELS = {
  hardware_silent: 'state.hardware_silent',
  offline: 'state.offline',
  never_seen: 'state.never_seen',
  online: 'state.online',
} as const satisfies Record<SiteState, string>;
