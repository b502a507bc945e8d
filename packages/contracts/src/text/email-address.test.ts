import { describe, expect, it } from 'vitest';
import { canonicalEmail } from './email-address.ts';

describe('email addresses', () => {
  it.each([
    ['as it is', 'ada@example.org', 'ada@example.org'],
    ['in capitals', 'ADA@EXAMPLE.ORG', 'ada@example.org'],
    ['with a Turkish i', 'INFO@EXAMPLE.ORG', 'info@example.org'],
    ['with white space around', ' \u3000ada@example.org\r\n', 'ada@example.org'],
    ['with a byte order mark', '\ufeffada@example.org', 'ada@example.org'],
    ['in full width', 'ＡＤＡ＠ｅｘａｍｐｌｅ．ｏｒｇ', 'ada@example.org'],
    ['with an ideographic full stop', 'ada@example。org', 'ada@example.org'],
    ['with a final point', 'ada@example.org.', 'ada@example.org'],
    ['of a domain beyond ASCII', 'ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    ['of a decomposed domain', 'ada@BU\u0308CHER.example', 'ada@xn--bcher-kva.example'],
    ['of a domain in the form of DNS', 'ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
    ['of a domain with a sharp s', 'ada@straße.example', 'ada@xn--strae-oqa.example'],
    ['of a domain with a dotted capital', 'ada@İzmir.example', 'ada@xn--izmir-7fd.example'],
    ['of a domain with a ligature', 'ada@ﬁt.example', 'ada@fit.example'],
    ['of a host', 'root@localhost', 'root@localhost'],
    ['with signs', "o'neil+x_1=%!#$&*/?^`{|}~-@example.org", "o'neil+x_1=%!#$&*/?^`{|}~-@example.org"],
    ['with a letter beyond ASCII', 'Jürgen@example.org', 'jürgen@example.org'],
    ['with a decomposed letter', 'Ju\u0308rgen@example.org', 'jürgen@example.org'],
    ['in another script', '用户@例え.jp', '用户@xn--r8jz45g.jp'],
  ])('an address %s has one form', (_kind, typed, canonical) => {
    expect(canonicalEmail(typed)).toBe(canonical);
    expect(canonicalEmail(canonical)).toBe(canonical);
  });

  it.each([
    ['a capital beyond ASCII', 'JÜRGEN@example.org'],
    ['a decomposed capital', 'JU\u0308RGEN@example.org'],
    ['a dotless i', 'mıke@example.org'],
    ['a dotted capital i', 'İnfo@example.org'],
    ['an i with a dot of its own', 'i\u0307nfo@example.org'],
    ['the sign of the kelvin', '\u212aim@example.org'],
    ['the sign of the ångström', '\u212bke@example.org'],
    ['a long s', 'ſam@example.org'],
    ['a sharp s', 'strauß@example.org'],
    ['a final sigma', 'γιάννης@example.org'],
    ['a micro sign', 'µ@example.org'],
    ['a ligature', 'ﬁt@example.org'],
    ['a circled number', '①@example.org'],
    ['a superscript', 'x²@example.org'],
    ['a zero-width space', 'a\u200bda@example.org'],
    ['a zero-width joiner', 'a\u200dda@example.org'],
    ['a soft hyphen', 'ada@exam\u00adple.org'],
    ['a variation selector', 'ada\ufe0f@example.org'],
    ['a mark of direction', '\u202eada@example.org'],
    ['a Hangul filler', 'ada\u3164@example.org'],
    ['a space', 'ada lovelace@example.org'],
    ['a line break', 'ada@example.org\nbcc: bob@example.org'],
    ['a second address', 'ada@example.org,bob@example.org'],
    ['a second @', 'ada@example.org@example.com'],
    ['a name', 'Ada <ada@example.org>'],
    ['quotes', '"ada"@example.org'],
    ['a comment', 'ada(x)@example.org'],
    ['an unpaired surrogate', 'ada\ud800@example.org'],
    ['an IP address', 'ada@127.0.0.1'],
    ['a number as a host', 'ada@0x7f.1'],
    ['an IP address in brackets', 'ada@[127.0.0.1]'],
    ['a port', 'ada@example.org:25'],
    ['a path', 'ada@example.org/x'],
    ['an escape in the domain', 'ada@ex%61mple.org'],
    ['an empty label', 'ada@example..org'],
    ['a label of 64 letters', `ada@${'b'.repeat(64)}.org`],
    ['a domain of 254 letters', `ada@${`${'b'.repeat(49)}.`.repeat(5)}abcde`],
    ['no domain', 'ada@'],
    ['no local part', '@example.org'],
    ['no @', 'ada'],
    ['nothing', ' '],
  ])('an address with %s has no form', (_kind, typed) => {
    expect(canonicalEmail(typed)).toBeUndefined();
  });

  it('no two letters that fold to one are two forms', () => {
    const forms = new Map<string, string>();
    const confused: string[] = [];
    for (let point = 0x21; point <= 0x1ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const letter = String.fromCodePoint(point);
      const form = canonicalEmail(`${letter}@example.org`);
      if (form === undefined) continue;
      const caseless = form.toUpperCase().normalize('NFKD');
      const known = forms.get(caseless);
      if (known !== undefined && known !== form) confused.push(letter);
      forms.set(caseless, form);
    }
    expect(forms.size).toBeGreaterThan(10_000);
    expect(confused).toEqual([]);
  });
});
