import { describe, expect, it } from 'vitest';
import { shownDetails } from './shown-details.ts';

describe('the details of a record', () => {
  it('are arrows where something changed', () => {
    expect(shownDetails({ name: { from: 'Old', to: 'New' }, color1: { from: null, to: '#112233' } })).toEqual(
      [
        { name: 'name', text: 'Old → New' },
        { name: 'color1', text: '– → #112233' },
      ],
    );
  });

  it('are one arrow where the record is about one thing', () => {
    expect(shownDetails({ from: 'member', to: 'admin', revoked_tokens: 2 })).toEqual([
      { name: '', text: 'member → admin' },
      { name: 'revoked_tokens', text: '2' },
    ]);
  });

  it('are shown as they are otherwise', () => {
    expect(shownDetails({ by: 'code', scopes: ['openid'], mail: false })).toEqual([
      { name: 'by', text: 'code' },
      { name: 'scopes', text: '["openid"]' },
      { name: 'mail', text: 'false' },
    ]);
    expect(shownDetails({})).toEqual([]);
  });
});
