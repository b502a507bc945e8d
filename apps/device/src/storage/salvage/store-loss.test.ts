import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../database.ts';
import { KeyValueStore } from '../key-value.ts';
import { SALVAGED_TABLES, type Salvage, type TableSalvage } from './salvage.ts';
import { lossOf, type StoreLoss, StoreLosses, totalLoss } from './store-loss.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const AT_DAYS = 20_000;
const LOSS: StoreLoss = { at: AT_DAYS * DAY_MS, file: 'a file', hours: null, settings: false, entries: 3 };

describe('a loss of data', () => {
  it('a loss is shown for 30 days, over starts, unless it is dismissed', () => {
    using db = openTemporaryDatabase();
    const at = (days: number) => new StoreLosses(new KeyValueStore(db), (AT_DAYS + days) * DAY_MS);
    expect(at(0).current).toBeNull();
    const losses = at(0);
    losses.record(LOSS);
    expect([losses.current, at(30).current, at(30.001).current]).toEqual([LOSS, LOSS, null]);
    losses.dismiss();
    expect([losses.current, at(1).current]).toEqual([null, null]);
  });

  it('a loss of the history is one with that of the database, whichever is first', () => {
    using db = openTemporaryDatabase();
    const history = { fromMs: 1, untilMs: null };
    const losses = new StoreLosses(new KeyValueStore(db), 0);
    losses.recordHistory(history, 'unreadable', 5);
    const nothing = { file: null, hours: null, settings: false, entries: 0 };
    expect(losses.current).toEqual({ at: 5, cause: 'unreadable', ...nothing, history });
    losses.record(LOSS);
    expect(new StoreLosses(new KeyValueStore(db), LOSS.at).current).toEqual({ ...LOSS, history });
    // The cause of the former one stays.
    losses.record({ ...LOSS, cause: 'replaced' });
    losses.recordHistory(history, 'unreadable', 5);
    expect(losses.current).toEqual({ ...LOSS, cause: 'replaced', history });
  });

  it('a loss is untried until the device has started, which changes nothing else of it', () => {
    using db = openTemporaryDatabase();
    const losses = () => new StoreLosses(new KeyValueStore(db), LOSS.at);
    losses().started();
    expect(losses().current).toBeNull();
    for (const recorded of [{ ...LOSS, isUntried: true }, { ...LOSS, isUntried: false }, LOSS]) {
      losses().record(recorded);
      expect(losses().current).toEqual(recorded);
      losses().started();
      expect(losses().current).toEqual(recorded.isUntried === true ? LOSS : recorded);
    }
  });

  const WHOLE: TableSalvage = { kept: 1, lost: 0, gap: null };
  const gap = { after: 1, before: 5 };

  it.each<[string, Partial<Salvage>, boolean, object]>([
    ['nothing', {}, false, { hours: null, settings: false, entries: 0 }],
    ['hours', { energy_hours: { kept: 1, lost: 3, gap } }, true, { hours: gap, settings: false, entries: 0 }],
    ['settings', { settings: { ...WHOLE, lost: 1 } }, false, { hours: null, settings: true, entries: 0 }],
    [
      'unknown settings',
      { settings: { ...WHOLE, lost: null } },
      false,
      { hours: null, settings: true, entries: 0 },
    ],
    [
      'settings of which there is a copy',
      { settings: { ...WHOLE, lost: 1 } },
      true,
      { hours: null, settings: false, entries: 0 },
    ],
    [
      'entries of three logs',
      { write_log: { ...WHOLE, lost: 1 }, audit_log: { ...WHOLE, lost: 2 }, alerts: { ...WHOLE, lost: 4 } },
      true,
      { hours: null, settings: false, entries: 7 },
    ],
    [
      'an unknown number of entries of one log',
      {
        write_log: { ...WHOLE, lost: 1 },
        audit_log: { ...WHOLE, lost: null },
        alerts: { ...WHOLE, lost: 4 },
      },
      true,
      { hours: null, settings: false, entries: null },
    ],
    [
      'days of energy',
      { energy_days: { ...WHOLE, lost: 1 } },
      false,
      { hours: null, settings: false, entries: 0 },
    ],
  ])('a loss of %s is reported as such', (_what, changes, hasSettings, loss) => {
    const whole = Object.fromEntries(SALVAGED_TABLES.map((table) => [table, WHOLE])) as Salvage;
    expect(lossOf({ ...whole, ...changes }, hasSettings)).toEqual({ days: null, ...loss });
  });

  it.each([true, false])('a loss of everything spares the settings of a copy: %s', (hasSettings) => {
    expect(totalLoss(hasSettings)).toEqual({
      hours: { after: null, before: null },
      days: { after: null, before: null },
      settings: !hasSettings,
      entries: null,
    });
  });
});
