import { describe, expect, it } from 'vitest';
import {
  type Alert,
  ahead,
  eventOf,
  MINUTE_MS,
  messageGround,
  now,
  type Person,
  type Relation,
} from '../../../test/alerting/message-ground.ts';
import { accountCaller } from '../../access/caller.ts';
import { visibleTo } from '../../access/visible-sites.ts';
import { readNotified } from '../../db/notified.ts';

const { db, make, makeWorld, settle, makePerson, putMessage, store, messagesAbout } = await messageGround();

describe('the time at which a message is due', () => {
  const ZONES = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'] as const;
  const DIGESTS = ['at_once', 'hourly', 'daily'] as const;
  /** Minutes after midnight; the second and the third begin on one day and end on the next. */
  const QUIET: readonly (readonly [from: number, until: number] | null)[] = [
    null,
    [22 * 60, 6 * 60 + 30],
    [23 * 60 + 59, 0],
    [6 * 60, 7 * 60 + 1],
    [0, 23 * 60 + 59],
  ];
  /** Before the change to summer time in Berlin, and the one back in Newfoundland. */
  const STARTS = [Date.parse('2027-03-27T11:00:00Z'), Date.parse('2026-10-31T11:00:00Z')];
  /** Minutes after a start: of hours at which quiet ones or digests of a zone begin and end, and shortly before and after. */
  const MOMENTS = [5.25, 10, 12, 18.5, 19, 22].flatMap((hours) => [
    ...[hours * 60 - 1 / 60_000, hours * 60, hours * 60 + 0.5],
  ]);

  /** The minute after midnight that clocks of a zone show in each minute from a start on. */
  function localMinutes(zone: string, startMs: number, count: number): Uint16Array {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    return Uint16Array.from({ length: count }, (_, minute) => {
      const [hours = 0, minutes = 0] = format
        .format(startMs + minute * MINUTE_MS)
        .split(':')
        .map(Number);
      return hours * 60 + minutes;
    });
  }

  /** Looks at one minute after the other, where SQL computes. @returns minutes after the start, with a fraction of the first */
  function expectedMinute(
    local: Uint16Array,
    nowMinute: number,
    digest: (typeof DIGESTS)[number],
    quiet: readonly [number, number] | null,
  ): number {
    let due = nowMinute;
    const next = (isIt: (minute: number) => boolean) => {
      due = Math.floor(due) + 1;
      while (!isIt(due)) due++;
    };
    if (digest === 'hourly') next((minute) => (local[minute] ?? 0) % 60 === 0);
    if (digest === 'daily') next((minute) => local[minute] === 7 * 60);
    if (quiet === null) return due;
    const [from, until] = quiet;
    const at = local[Math.floor(due)] ?? 0;
    const isQuiet = from < until ? from <= at && at < until : from <= at || at < until;
    if (isQuiet) next((minute) => local[minute] === until);
    return due;
  }

  it('a message is due after its digest and outside of quiet hours, in the zone of the reader', async () => {
    const world = await makeWorld();
    const choices = ZONES.flatMap((zone) =>
      DIGESTS.flatMap((digest) => QUIET.map((quiet) => ({ zone, digest, quiet }))),
    );
    const userIds = await make.users(choices.length);
    for (const [index, { zone, digest, quiet }] of choices.entries()) {
      const userId = userIds[index] ?? 0;
      await settle(userId, {
        ...{ time_zone: zone, digest, quiet_from: quiet?.[0] ?? null, quiet_until: quiet?.[1] ?? null },
        // Digests are of mails alone.
        sealed_ntfy: digest === 'daily' ? Buffer.alloc(1) : null,
      });
      await make.member(world.site, userId, 'admin');
    }
    const cases = STARTS.flatMap((startMs) => MOMENTS.map((minute) => ({ startMs, minute, alertId: 0 })));
    for (const one of cases) {
      one.alertId = await make.alert(world.site, { severity: 3 });
      const at = new Date(one.startMs + one.minute * MINUTE_MS);
      await store([eventOf('alert.raised', { alert_id: one.alertId })], at);
    }
    const stored = await messagesAbout(
      'alert_id',
      cases.map(({ alertId }) => alertId),
    );
    const dueOf = new Map(
      stored.map(({ about, user_id, channel, due_at }) => [`${about} ${user_id} ${channel}`, due_at]),
    );
    const localOf = new Map(
      STARTS.flatMap((startMs) =>
        ZONES.map((zone) => [`${startMs} ${zone}`, localMinutes(zone, startMs, 80 * 60)] as const),
      ),
    );
    const wrong: unknown[] = [];
    for (const { startMs, minute, alertId } of cases) {
      for (const [index, { zone, digest, quiet }] of choices.entries()) {
        for (const channel of digest === 'daily' ? ['mail', 'ntfy'] : ['mail']) {
          const local = localOf.get(`${startMs} ${zone}`) ?? new Uint16Array();
          const due = expectedMinute(local, minute, channel === 'mail' ? digest : 'at_once', quiet);
          const expected = new Date(Math.round(startMs + due * MINUTE_MS));
          const found = dueOf.get(`${alertId} ${userIds[index]} ${channel}`);
          const at = new Date(startMs + minute * MINUTE_MS);
          if (found?.getTime() !== expected.getTime())
            wrong.push({ at, zone, digest, quiet, channel, expected, found });
        }
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(stored).toHaveLength((cases.length * choices.length * 4) / 3);
  });
});

describe('a message that waited', () => {
  it('a message is left out where a person knows of the alert, or the account does not see it any more', async () => {
    interface Row extends Person {
      readonly kind: 'raised' | 'cleared' | 'assigned' | 'test';
      readonly alert?: Alert;
      readonly isAssignee?: boolean;
      readonly isRead: boolean;
    }
    const owner = { is: ['owner'] } as const;
    const ROWS: readonly Row[] = [
      { kind: 'raised', ...owner, isRead: true },
      { kind: 'raised', ...owner, alert: { cleared_at: now }, isRead: false },
      { kind: 'raised', ...owner, alert: { acknowledged_at: now }, isRead: false },
      { kind: 'raised', ...owner, alert: { snoozed_until: ahead(1) }, isRead: false },
      { kind: 'raised', ...owner, alert: { snoozed_until: now }, isRead: true },
      { kind: 'cleared', ...owner, alert: { cleared_at: now, acknowledged_at: now }, isRead: true },
      { kind: 'assigned', ...owner, isAssignee: true, alert: { acknowledged_at: now }, isRead: true },
      { kind: 'assigned', ...owner, isRead: false },
      { kind: 'assigned', isAssignee: true, isRead: false },
      { kind: 'cleared', isRead: false },
      { kind: 'raised', isRead: false },
      { kind: 'test', isRead: true },
    ];
    const world = await makeWorld();
    const found: unknown[] = [];
    for (const { kind, alert, isAssignee, isRead, ...person } of ROWS) {
      const { id } = await makePerson(world, person);
      const alertId = await make.alert(world.site, { assignee_id: isAssignee ? id : null, ...alert });
      const alert_id = kind === 'test' ? null : String(alertId);
      const { id: messageId } = await putMessage({ user_id: id, kind, alert_id });
      found.push({
        kind,
        alert,
        isAssignee,
        ...person,
        isRead: (await readNotified(db, [messageId], now)).length === 1,
      });
    }
    expect(found).toEqual(ROWS.map((row) => ({ alert: undefined, isAssignee: undefined, ...row })));
  });

  it('a message reaches the accounts that see the site, and about an outage the managers of its organization', async () => {
    const RELATIONS: readonly Relation[] = [
      ...(['owner', 'site admin', 'site member', 'owner of another site', 'admin of another site'] as const),
      ...([
        'home owner',
        'home admin',
        'home member',
        'partner owner',
        'partner member',
        'abroad owner',
      ] as const),
    ];
    const MANAGERS: readonly Relation[] = ['home owner', 'home admin'];
    for (const relation of [...RELATIONS, undefined]) {
      const world = await makeWorld();
      for (const is of ['site member', 'home admin', 'partner member'] as const)
        await makePerson(world, { is: [is] });
      const { id } = await makePerson(world, { is: relation === undefined ? [] : [relation] });
      const alertId = await make.alert(world.site);
      const outage = await db
        .insertInto('outages')
        .values({ organization_id: world.home, began_at: now, ended_at: null, sites: 10 })
        .returning('id')
        .executeTakeFirstOrThrow();
      const ids = [
        (await putMessage({ user_id: id, alert_id: String(alertId) })).id,
        (await putMessage({ user_id: id, kind: 'began', outage_id: outage.id })).id,
      ];
      const read = (await readNotified(db, ids, now)).map(({ id: read }) => read);
      const visible = await db
        .selectFrom('sites')
        .select('id')
        .where('id', '=', world.site)
        .where(visibleTo(accountCaller(id, false)))
        .execute();
      expect({ relation, sees: read.includes(ids[0] ?? ''), manages: read.includes(ids[1] ?? '') }).toEqual({
        ...{ relation, sees: visible.length === 1 },
        manages: relation !== undefined && MANAGERS.includes(relation),
      });
    }
  });
});
