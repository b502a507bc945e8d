import { describe, expect, it } from 'vitest';
import { fullName, personName } from './person-name.ts';

describe('personName', () => {
  it.each([
    ['Ada', 'Lovelace', 'Ada Lovelace'],
    ['Ada', '', 'Ada'],
    ['', 'Lovelace', 'Lovelace'],
    ['', '', 'ada@example.org'],
    [' ', ' ', 'ada@example.org'],
  ])('the person "%s" "%s" is shown as %s', (first_name, last_name, shown) => {
    expect(personName({ first_name, last_name, email: 'ada@example.org' })).toBe(shown);
  });
});

describe('fullName', () => {
  it('the full name of a person without names is empty', () => {
    expect(fullName({ first_name: '', last_name: '' })).toBe('');
  });
});
