import { quantities } from '@heliograph/metrics';
import type { GxRegisterRow } from './row.ts';
import { CHARGER_STATE } from './states.ts';

/** What one solar charger tells, under names that end in its number, counted from 1. */
export interface ChargerRows {
  readonly power: GxRegisterRow;
  readonly voltage: GxRegisterRow;
  readonly yieldToday: GxRegisterRow;
  readonly state: GxRegisterRow;
  readonly enabled: GxRegisterRow;
}

export function chargerRows(number: number): ChargerRows {
  return {
    power: { quantity: quantities.power(`PV power ${number}`), register: 789, type: 'u16', factor: 0.1 },
    voltage: {
      quantity: quantities.voltage(`PV voltage ${number}`),
      register: 776,
      type: 'u16',
      factor: 0.01,
    },
    yieldToday: {
      quantity: quantities.lifetimeEnergy(`Day PV energy ${number}`),
      register: 784,
      type: 'u16',
      factor: 0.1,
    },
    state: {
      quantity: quantities.state(`MPPT state ${number}`),
      register: 775,
      type: 'code',
      labels: CHARGER_STATE,
    },
    enabled: {
      quantity: quantities.selectSetting(`MPPT enabled ${number}`, ['On', 'Off']),
      register: 774,
      type: 'code',
      labels: { 1: 'On', 4: 'Off' },
    },
  };
}
