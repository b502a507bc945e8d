import { describe, expect, it } from 'vitest';
import { Pseudonyms } from './pseudonyms.ts';
import { Redactor } from './redactor.ts';

const redactor = (): Redactor =>
  new Redactor(
    {
      secrets: ['p"ss/w ö', 'pi'],
      identifiers: [
        { kind: 'serial', value: '2301606000' },
        { kind: 'serial', value: '0' },
      ],
    },
    new Pseudonyms(),
  );

describe('the redaction of a text', () => {
  it.each([
    ['plain', 'with p"ss/w ö in it', 'with [removed] in it'],
    ['in JSON', JSON.stringify({ note: 'p"ss/w ö' }), '{"note":"[removed]"}'],
    ['in a URL', `/x?y=${encodeURIComponent('p"ss/w ö')}&z`, '/x?y=[removed]&z'],
    ['in base64', Buffer.from('p"ss/w ö').toString('base64'), '[removed]'],
  ])('a known secret is removed %s', (_way, text, expected) => {
    expect(redactor().text(text)).toBe(expected);
  });

  it.each(['-', 'a.', '0.', 'a:', '@a-', '1.234 '])('a long line of %j is read once', (repeated) => {
    expect(redactor().text(repeated.repeat(100_000))).toEqual(expect.any(String));
  });

  it('a short secret is removed as a word, and stays a part of others', () => {
    expect(redactor().text('user pi at pid 7')).toBe('user [removed] at pid 7');
  });

  it('a serial number of one digit replaces no other number', () => {
    expect(redactor().text('0 of 10 answered')).toBe('0 of 10 answered');
  });

  it('a MAC address has one pseudonym, however it is written', () => {
    const [one, other, third] = ['02:42:AC:11:00:99', '02-42-ac-11-00-99', '02:42:ac:11:00:98'].map(
      (mac) => mac,
    );
    expect(redactor().text(`${one} ${other} ${third}`)).toBe('mac-1 mac-1 mac-2');
  });

  it.each([
    'modbus-tcp://192.168.1.20:502: it refuses the connection',
    'inverter_1/time_point_1_battery_state_of_charge_minimum',
    '2026-11-23T21:07:00.000Z reading at 12:34:56 took 1.5 s',
    'PV power 5312 W, 230.4 V, 49.98 Hz',
    'at Socket.connect (node:net:1290:18)',
    'listens at ::1 and 127.0.0.1, also 10.1.2.3 and 172.20.0.5',
  ])('a text that helps to find a fault stays: %s', (text) => {
    expect(redactor().text(text)).toBe(text);
  });
});
