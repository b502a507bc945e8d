import type { AlertSeverity } from '@heliograph/contracts';
import { HOSTILE_TEXTS } from '@heliograph/contracts/testing/hostile-texts';
import { expect, it } from 'vitest';
import type { Notified, NotifiedAlert } from '../../db/notified.ts';
import { shortMessage } from './messages.ts';

const ALERT: NotifiedAlert = {
  ...{ id: '1', siteId: 7, siteName: 'meadow', severity: 'critical', raisedAt: new Date(0), clearedAt: null },
  ...{
    kind: 'is',
    topic: 'inverter_1/x',
    name: 'x',
    detail: 'x',
    value: 'x',
    limit: null,
    unit: '',
    text: 'x',
  },
};

/** Facts of an alert that its device chose, with the kind whose sentence has them. */
const CHOSEN: readonly ((text: string) => Partial<NotifiedAlert>)[] = [
  (text) => ({ kind: 'equals', name: text }),
  (text) => ({ kind: 'equals', value: text }),
  (text) => ({ kind: 'above', value: 3, unit: text }),
  (text) => ({ kind: 'complaint', detail: text }),
  (text) => ({ kind: 'of a newer release', text }),
];

it.each(HOSTILE_TEXTS)(
  'the text %j of a device is %j in messages by push, ntfy and Telegram, whatever fact of the alert it is',
  (text, inMessages) => {
    for (const chosen of CHOSEN)
      for (const isRepetition of [false, true]) {
        const alert = { ...ALERT, ...chosen(text) };
        const notified = { id: '1', kind: 'raised', alert, outage: null, further: null } as const;
        const { title, body } = shortMessage(notified, { locale: 'en', brand: 'Heliograph', isRepetition });
        expect(body).toContain(inMessages);
        expect(title + body).not.toContain(text);
      }
  },
);

it('a message about an outage is critical, one of a test is information, and an end has ended', () => {
  const at = new Date(0);
  const alert: NotifiedAlert = { ...ALERT, id: '3', severity: 'warning' };
  const outage = {
    ...{ id: '5', organizationId: 2, organizationName: 'Firm', sites: 10, beganAt: at, endedAt: null },
  };
  const none = { id: '1', alert: null, outage: null, further: null };
  const further = { count: 312, siteId: null, siteName: null, severity: 'critical' as const };
  const rows: readonly (readonly [Notified, string, AlertSeverity, boolean])[] = [
    [{ ...none, kind: 'raised', alert }, 'alert-3', 'warning', false],
    [{ ...none, kind: 'assigned', alert }, 'alert-3', 'warning', false],
    [{ ...none, kind: 'cleared', alert }, 'alert-3', 'warning', true],
    [{ ...none, kind: 'began', outage }, 'outage-5', 'critical', false],
    [{ ...none, kind: 'ended', outage }, 'outage-5', 'critical', true],
    [{ ...none, kind: 'further', further }, 'further-1', 'critical', false],
    [{ ...none, kind: 'test' }, 'test', 'information', false],
  ];
  const of = { locale: 'en', brand: 'Heliograph', isRepetition: false } as const;
  for (const [notified, tag, severity, hasEnded] of rows)
    expect(shortMessage(notified, of)).toMatchObject({ tag, severity, hasEnded });
});
