import { describe, expect, it } from 'vitest';
import { isFinal, summaryOf } from './smtp-failure.ts';

const failure = (fields: object) => Object.assign(new Error('bob@example.org did it'), fields);

describe('isFinal and summaryOf', () => {
  it.each([
    ['550 5.1.1 <bob@example.org> unknown', true],
    ['550-5.1.1 bob@example.org\n550 unknown', true],
    ['553 no such mailbox', true],
    ['550 5.2.1 mailbox disabled', true],
    ['451 4.7.1 greylisted', false],
    ['452 4.2.2 mailbox full', false],
    ['554 5.7.1 relay access denied', false],
    ['550-5.7.26 sign your mails', false],
  ])('a refusal of the recipient with %s is final: %s', (response, final) => {
    expect(isFinal(failure({ code: 'EENVELOPE', command: 'RCPT TO', response }))).toBe(final);
  });

  it.each([
    [{ code: 'EENVELOPE', command: 'MAIL FROM', response: '550 5.1.8 sender unknown' }],
    [{ code: 'EAUTH', command: 'AUTH PLAIN', response: '535 5.7.8 wrong password' }],
    [{ code: 'EMESSAGE', command: 'DATA', response: '554 5.6.0 not liked' }],
    [{ code: 'ECONNECTION', command: 'CONN' }],
    [{}],
  ])('another failure is not final: %j', (fields) => {
    expect(isFinal(failure(fields))).toBe(false);
  });

  it.each([
    [
      { code: 'EENVELOPE', command: 'RCPT TO', response: '550 5.1.1 <bob@example.org> unknown' },
      'EENVELOPE RCPT TO 550 5.1.1',
    ],
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, 'ESOCKET ECONNREFUSED CONN'],
    [{}, 'unknown'],
  ])('the summary of a failure has no addresses: %j', (fields, summary) => {
    expect(summaryOf(failure(fields))).toBe(summary);
  });

  it('any thrown value is a failure', () => {
    expect([isFinal(null), isFinal('oops'), summaryOf(undefined)]).toEqual([false, false, 'unknown']);
  });
});
