import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES, SCOPES } from '@heliograph/contracts';
import type { MailTexts } from '@heliograph/locales/read';
import { fill } from '@heliograph/locales/read';
import { describe, expect, it } from 'vitest';
import { textsOf } from './texts.ts';
import { LINK_LIFETIMES_MS } from './timing.ts';

/** The placeholders that the code fills in each text, in alphabetical order; the texts that are left out have none. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  greeting: 'name',
  sentBy: 'brand',
  'confirmation.subject': 'brand',
  'confirmation.text': 'brand',
  'emailChange.subject': 'brand',
  'emailChange.text': 'brand',
  'reset.subject': 'brand',
  'reset.text': 'brand',
  'secondFactor.passkey_added.subject': 'brand',
  'secondFactor.passkey_added.text': 'brand name',
  'secondFactor.passkey_removed.subject': 'brand',
  'secondFactor.passkey_removed.text': 'brand name',
  'secondFactor.app_added.subject': 'brand',
  'secondFactor.app_added.text': 'brand',
  'secondFactor.app_removed.subject': 'brand',
  'secondFactor.app_removed.text': 'brand',
  'secondFactor.codes_made.subject': 'brand',
  'secondFactor.codes_made.text': 'brand',
  'secondFactor.code_used.subject': 'brand',
  'secondFactor.code_used.text': 'brand left',
  'secondFactor.reset.subject': 'brand',
  'secondFactor.reset.text': 'brand',
  'invitation.subject': 'brand',
  'invitation.toSite': 'brand site',
  'invitation.toTeam': 'brand',
  'invitation.toAccount': 'brand',
  'invitation.from': 'inviter',
  'accountNotice.time': 'time',
  'accountNotice.address': 'address',
  'passwordChanged.subject': 'brand',
  'passwordChanged.text': 'brand',
  'exportReady.subject': 'brand',
  'exportReady.text': 'brand',
  'deletionRequested.subject': 'brand',
  'deletionRequested.text': 'brand due',
  'deletionCancelled.subject': 'brand',
  'deletionCancelled.text': 'brand',
  'organizationClosed.subject': 'name',
  'organizationClosed.text': 'brand name',
  'siteMoved.subject': 'name',
  'siteMoved.text': 'name organization',
  'alerts.subjectOfMany': 'count',
  'alerts.since': 'time',
  'alerts.fromTo': 'from to',
  'alerts.outage': 'count',
  'alerts.assigned': 'text',
  'alerts.further': 'count',
  'alerts.unsubscribe': 'link',
  'deviceRecovered.subject': 'name',
  'deviceRecovered.text': 'name',
  'deviceReplaced.subject': 'name',
  'deviceReplaced.text': 'name',
  'webhookEnded.subject': 'name',
  'webhookEnded.text': 'name',
  'webhookCreated.subject': 'name',
  'webhookCreated.text': 'name',
  'siteShared.subject': 'name organization',
  'siteShared.text': 'name organization',
  'pushMoved.text': 'name',
  'delegationsSuspended.subject': 'brand',
  'delegationsSuspended.text': 'name',
  'siteLeft.subject': 'name',
  'siteLeft.text': 'name organization',
  'emailChangeRequested.subject': 'brand',
  'emailChangeRequested.text': 'brand email',
  'emailChanged.subject': 'brand',
  'emailChanged.text': 'brand email',
  'tokenCreated.subject': 'brand',
  'tokenCreated.text': 'brand name',
  'tokenCreated.scopes': 'scopes',
  'unknownNetwork.subject': 'brand',
  'unknownNetwork.text': 'brand',
  'readerChanged.subjectAdded': 'person site',
  'readerChanged.textAdded': 'person site',
  'readerChanged.subjectRemoved': 'person site',
  'readerChanged.textRemoved': 'person site',
  'delegationSuspended.subject': 'site',
  'delegationSuspended.text': 'site',
  'delegationSuspended.mqtt': 'subject',
  'delegationSuspended.connection': 'subject',
  'delegationSuspended.setting_writes': 'subject',
  'accessLimit.subject': 'actor',
  'accessLimit.text': 'actor count',
  'secondFactorRule.subjectOn': 'brand',
  'secondFactorRule.textOn': 'brand',
  'secondFactorRule.subjectOff': 'brand',
  'secondFactorRule.textOff': 'brand',
  'teamInvitation.subject': 'brand',
  'teamInvitation.text': 'brand',
  'teamInvitation.next': 'brand',
  'teamInvitation.unexpected': 'brand',
  'ticket.received.subject': 'number title',
  'ticket.received.text': 'brand number',
  'ticket.opened.subject': 'number title',
  'ticket.opened.text': 'author',
  'ticket.replied.subject': 'number title',
  'ticket.replied.text': 'author',
  'ticket.noted.subject': 'number title',
  'ticket.noted.text': 'author',
  'ticket.assigned.subject': 'number title',
  'ticket.resolved.subject': 'number title',
  'recovery.asked.subject': 'firm site',
  'recovery.asked.text': 'firm person site time',
  'recovery.askedByProgram.subject': 'person site',
  'recovery.askedByProgram.text': 'firm person site time',
  'recovery.opened.subject': 'site',
  'recovery.opened.text': 'firm site time',
  'recovery.declined.subject': 'site',
  'recovery.declined.text': 'firm site',
  'recovery.extended.subject': 'site',
  'recovery.extended.text': 'firm site time',
  'recovery.passwordRemoved.subject': 'site',
  'recovery.passwordRemoved.text': 'firm site',
  'recovery.ended.subject': 'site',
  'recovery.ended.text': 'count firm site',
  'siteAccess.subject': 'site',
  'siteAccess.by': 'actor',
  'ownership.subjectNew': 'site',
  'ownership.textNew': 'site',
  'ownership.subjectFormer': 'site',
  'ownership.textFormer': 'owner site',
  'ownership.by': 'actor time',
  'ownership.recallFormer': 'owner',
  'ownership.noAccount': 'email',
  'ownership.final': 'time',
  'transferDue.subject': 'owner site',
  'transferDue.text': 'owner site',
  'transferEnded.subjectAccepted': 'owner site',
  'transferEnded.textAccepted': 'owner site',
  'transferEnded.textKept': 'owner site',
  'transferEnded.subjectBack': 'site',
  'transferEnded.textDeclined': 'owner site',
  'transferEnded.textRecalled': 'owner site',
  'transferEnded.subjectGone': 'site',
  'transferEnded.textGone': 'site',
  'transferEnded.subjectFinal': 'site',
  'transferEnded.textFinal': 'owner site',
  'transferEnded.textFinalNew': 'site',
  'siteReleased.subject': 'site',
  'siteReleased.textOwner': 'brand site',
  'siteReleased.code': 'code',
  'siteReleased.textMember': 'site',
  'order.placed.subject': 'brand number',
  'order.placed.text': 'brand number',
  'order.paid.subject': 'number',
  'order.paid.text': 'brand number',
  'order.shipped.subject': 'number',
  'order.shipped.text': 'brand number',
  'order.completed.subject': 'number',
  'order.completed.text': 'brand number',
  'order.cancelled.subject': 'number',
  'order.cancelled.text': 'brand number',
  'order.refunded.subject': 'number',
  'order.refunded.text': 'amount brand number',
  'order.sold.subject': 'number',
  'order.sold.text': 'brand customer number',
  'order.withdrawn.subject': 'number',
  'order.withdrawn.text': 'brand customer number',
  'order.excess.subject': 'number',
  'order.excess.text': 'amount brand number',
  'order.items': 'items',
  'order.total': 'amount',
  'order.taxes': 'taxes',
  'order.shipment': 'carrier',
  'order.tracking': 'number',
  'order.automatic': 'brand',
};

/** Texts that are the same in several languages. */
const SHARED_TEXTS = ['Items: {{items}}', 'Total: {{amount}}'];

type Texts = { readonly [place: string]: string | Texts };

/** Every text with its place, such as `reset.subject`. */
function textsWithPlaces(texts: MailTexts | Texts, within = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]: [string, string | Texts]) =>
    typeof value === 'string'
      ? [[within + name, value] as [string, string]]
      : textsWithPlaces(value, `${within}${name}.`),
  );
}

/** Single braces count, too: `fill` would leave them in the mail. */
const placeholdersOf = (text: string) =>
  [...new Set(text.match(/[{}]+\w*[{}]*/g) ?? [])]
    .map((match) => match.replace(/^\{\{(\w+)\}\}$/, '$1'))
    .sort();
const ENGLISH = new Map(textsWithPlaces(textsOf('en')));

describe.each(LOCALES)('mails in %s', (locale) => {
  const texts = textsWithPlaces(textsOf(locale));

  it('mails have every text of the English ones, with the placeholders that the code fills', () => {
    expect(texts.map(([place]) => place)).toEqual([...ENGLISH.keys()]);
    for (const [place, text] of texts) {
      expect(text.trim(), place).toBe(text);
      expect(text, place).not.toBe('');
      expect(placeholdersOf(text).join(' '), place).toBe(PLACEHOLDERS[place] ?? '');
    }
  });

  it('mails have the lifetime of their links', () => {
    const { confirmation, emailChange, reset, invitation } = textsOf(locale);
    const hours = (ms: number) => ms / (60 * 60 * 1000);
    expect(confirmation.validity).toMatch(new RegExp(`\\b${hours(LINK_LIFETIMES_MS.confirm)}\\b`));
    expect(emailChange.validity).toMatch(new RegExp(`\\b${hours(LINK_LIFETIMES_MS.email_change)}\\b`));
    expect(reset.validity).toMatch(new RegExp(`\\b${hours(LINK_LIFETIMES_MS.reset)}\\b`));
    expect(invitation.validity).toMatch(new RegExp(`\\b${hours(LINK_LIFETIMES_MS.invite) / 24}\\b`));
  });
});

it.each(LOCALES.filter((locale) => locale !== 'en'))('mails in %s are not in English', (locale) => {
  for (const [place, text] of textsWithPlaces(textsOf(locale))) {
    if (!SHARED_TEXTS.includes(text)) expect(text, place).not.toBe(ENGLISH.get(place));
  }
});

it('the code uses every text of mails', () => {
  const code = globSync('*.ts', { cwd: import.meta.dirname })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n');
  const names = new Set([...ENGLISH.keys()].flatMap((place) => place.split('.')));
  const scopes = Object.keys(textsOf('en').tokenScopes);
  const unused = [...names].filter(
    (name) => !scopes.includes(name) && !new RegExp(`\\b${name}\\b`).test(code),
  );
  expect(unused).toEqual([]);
  expect(scopes.filter((scope) => !Object.hasOwn(SCOPES, scope))).toEqual([]);
});

it('a name that looks like a placeholder is a name', () => {
  expect(fill('{{a}} and {{b}}', { a: '{{b}}', b: '$&' })).toBe('{{b}} and $&');
});
