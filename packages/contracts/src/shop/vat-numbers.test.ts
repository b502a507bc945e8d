import { describe, expect, it } from 'vitest';
import { vatNumberOf, vatNumberOn } from './vat-numbers.ts';

describe('a VAT number', () => {
  it.each([
    ['GB', 'XI123456789', 'XI123456789'],
    ['GB', 'XI 123 4567 89', 'XI123456789'],
    ['GB', 'GB123456789', 'GB123456789'],
    ['GB', 'GBGD001', 'GBGD001'],
    ['RO', 'RO12345', 'RO12345'],
    ['RO', 'RO123456', 'RO123456'],
    ['RO', 'ro 12', 'RO12'],
    ['RO', '1234567890', 'RO1234567890'],
    ['CH', 'CHE-123.456.789 MWST', 'CHE123456789'],
    ['CH', 'CHE-123.456.789 TVA', 'CHE123456789'],
    ['CH', 'CHE‑123.456.789 IVA', 'CHE123456789'],
    ['CH', 'CHE123456789', 'CHE123456789'],
    ['GR', 'GR123456789', 'EL123456789'],
    ['GR', 'EL 123456789', 'EL123456789'],
    ['GR', '123456789', 'EL123456789'],
    ['BE', '0123456749', 'BE0123456749'],
    ['BE', 'BE 0123.456.749', 'BE0123456749'],
    ['BE', 'BE 123.456.749', 'BE0123456749'],
    ['DE', 'ＤＥ１３６，６９５ ９７６'.replace('，', ''), 'DE136695976'],
    ['DE', '136 695 976', 'DE136695976'],
    ['FR', 'FR 40 303 265 045', 'FR40303265045'],
    ['FR', 'fr.40-303 265.045', 'FR40303265045'],
    ['FR', 'K7 399 859 412', 'FRK7399859412'],
    ['IE', 'IE1234567WA', 'IE1234567WA'],
    ['IE', 'IE 8D79739I', 'IE8D79739I'],
    ['IT', '00743110157', 'IT00743110157'],
    ['LU', 'LU 150 274 42', 'LU15027442'],
    ['PL', 'PL 8567346215', 'PL8567346215'],
    ['PL', '856-734-62-15', 'PL8567346215'],
    ['SE', 'SE556188840401', 'SE556188840401'],
    ['NO', 'NO 123 456 789 MVA', 'NO123456789MVA'],
    ['NO', '123 456 789', 'NO123456789MVA'],
    ['HU', '12345678-2-41', 'HU12345678'],
    ['ES', 'ESX1234567L', 'ESX1234567L'],
    ['NL', 'NL0044.95.445.B01', 'NL004495445B01'],
    ['CZ', 'CZ12345678', 'CZ12345678'],
    ['AT', 'ATU13585627', 'ATU13585627'],
    ['ZA', 'ZA4123456789', 'ZA4123456789'],
  ])('a number of %s, written %s, is %s', (country, text, number) => {
    expect(vatNumberOf(country, text)).toBe(number);
    expect(vatNumberOn(country, text)).toBe(number);
  });

  it.each([
    ['RO', 'RO1'],
    ['RO', 'RO12345678901'],
    ['BE', 'BE0123456748'],
    ['DE', 'DE136695977'],
    ['DE', '12/345/67890'],
    ['FR', 'FR41303265045'],
    ['FR', 'FR123456789'],
    ['FR', 'XFR40303265045'],
    ['FR', 'FR40303265045678'],
    ['IT', '00743110158'],
    ['LU', 'LU15027443'],
    ['PL', 'PL8567346216'],
    ['SE', 'SE556188840501'],
    ['CH', 'CHE-123.456.78'],
    ['GR', 'EL1234567'],
    ['AT', '13585627'],
    ['NL', 'none'],
  ])('no number of %s is %s', (country, text) => {
    expect(vatNumberOf(country, text)).toBeUndefined();
    expect(vatNumberOn(country, text)).toBeUndefined();
  });

  it.each([
    ['FR', 'DE 136 695 976', 'DE136695976'],
    ['US', 'EL123456789', 'EL123456789'],
    ['US', '12-3456789', '12-3456789'],
    ['ZA', 'none yet', 'none yet'],
  ])('a number on an address of %s, written %s, is %s', (country, text, number) => {
    expect(vatNumberOf(country, text)).toBeUndefined();
    expect(vatNumberOn(country, text)).toBe(number);
  });
});
