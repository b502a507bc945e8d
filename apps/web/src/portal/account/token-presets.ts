import type { Scope } from '@heliograph/client';

/** What most tokens are for; `custom` leaves each scope to its user. */
export const TOKEN_PRESETS = ['read', 'settings', 'custom'] as const;
export type TokenPreset = (typeof TOKEN_PRESETS)[number];

export const PRESET_SCOPES: Readonly<Record<Exclude<TokenPreset, 'custom'>, readonly Scope[]>> = {
  read: ['sites:read_all'],
  settings: ['sites:read_all', 'sites:write_all'],
};
