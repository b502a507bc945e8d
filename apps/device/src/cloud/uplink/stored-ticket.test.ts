import { ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../storage/database.ts';
import { KeyValueStore } from '../../storage/key-value.ts';
import { StoredTicket, type StoredTicketOptions } from './stored-ticket.ts';

const TICKET = { proxy: { name: 'local-1', url: 'http://192.0.2.1' }, tunnel_token: 'a token' };

let db: ReturnType<typeof openTemporaryDatabase>;
let stored: StoredTicket;
const ticketOf = (changes: Partial<StoredTicketOptions> = {}): StoredTicket =>
  new StoredTicket({
    store: new KeyValueStore(db),
    cloudUrl: 'https://example.com',
    region: undefined,
    clock: new ManualClock(1_000),
    ...changes,
  });
beforeEach(() => {
  db = openTemporaryDatabase();
  stored = ticketOf();
});
afterEach(() => db.close());

it('a ticket is stored with its time and facts alone, until it is deleted', () => {
  expect(stored.load()).toBeUndefined();
  const answer = { ...TICKET, site_name: 'home', status: 'ready' };
  stored.save(answer, 'facts');
  expect(ticketOf().load()).toMatchObject({ ticket: TICKET, answeredAt: 1_000, facts: 'facts' });
  expect(new KeyValueStore(db).get('tunnel_ticket')).not.toContain('site_name');
  stored.delete();
  expect(ticketOf().load()).toBeUndefined();
});

it.each<[string, boolean, Partial<StoredTicketOptions>]>([
  ['the same cloud', true, {}],
  ['another cloud', false, { cloudUrl: 'https://example.org' }],
  ['a region of its own', false, { region: 'eu' }],
])('a ticket is good for %s: %s', (_what, isGood, changes) => {
  stored.save(TICKET, '');
  expect(ticketOf(changes).load() !== undefined).toBe(isGood);
});

it('a ticket on a full disk stays as it is, and the device goes on', () => {
  stored.save(TICKET, 'facts');
  db.exec(`
    CREATE TEMP TRIGGER no_update BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, 'full'); END;
    CREATE TEMP TRIGGER no_delete BEFORE DELETE ON settings BEGIN SELECT RAISE(ABORT, 'full'); END`);
  stored.save(TICKET, 'other facts');
  stored.delete();
  expect(stored.load()?.facts).toBe('facts');
});
