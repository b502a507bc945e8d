import { HOSTILE_TEXTS } from '@heliograph/contracts/testing/hostile-texts';
import { expect, it } from 'vitest';
import type { StoredAlert } from '../alert-store.ts';
import { alertMessage } from './alert-message.ts';

it.each(HOSTILE_TEXTS)(
  'the text %j of hardware is %j in what the device itself sends by mail and ntfy',
  (text, inMessages) => {
    const alert: StoredAlert = {
      ...{
        id: 1,
        revision: 1,
        rule: 'fault',
        kind: 'complaint',
        severity: 'critical',
        topic: 'inverter_1/fault',
      },
      ...{ name: 'Fault', detail: text, value: text, limit: null, unit: '' },
      ...{
        since: 0,
        raisedAt: 0,
        lastAt: 0,
        clearedAt: null,
        acknowledgedAt: null,
        acknowledgedBy: null,
        times: 1,
      },
    };
    for (const is of ['raised', 'cleared'] as const) {
      const message = alertMessage(alert, is, 'en', false);
      expect(message.text).toContain(inMessages);
      expect(message.text).not.toContain(text);
    }
  },
);
