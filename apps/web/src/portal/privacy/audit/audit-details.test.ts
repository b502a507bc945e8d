import { describe, expect, it } from 'vitest';
import { auditDetails } from './audit-details.ts';

describe('auditDetails', () => {
  it('a changed value comes with the former one', () => {
    const details = { name: { from: 'Old', to: 'New' }, color1: { from: null, to: '#112233' } };
    expect(auditDetails('organization.changed', details)).toEqual([
      { name: 'name', before: 'Old', value: 'New' },
      { name: 'color1', before: null, value: '#112233' },
    ]);
  });

  it('a change of the entry itself is named by the action', () => {
    const names = (action: string) => auditDetails(action, { from: 1, to: 2 }).map(({ name }) => name);
    expect(names('site.renamed')).toEqual(['name']);
    expect(names('site.described')).toEqual(['description']);
    expect(names('site.ownership_transferred')).toEqual(['owner']);
    expect(names('site_member.changed')).toEqual(['role']);
  });

  it('a member gains, loses or changes a role', () => {
    const role = (from: string | null, to: string | null) =>
      auditDetails('organization_member.changed', { from, to });
    expect(role(null, 'admin')).toEqual([{ name: 'role', value: 'admin' }]);
    expect(role('member', 'admin')).toEqual([{ name: 'role', before: 'member', value: 'admin' }]);
    expect(
      auditDetails('organization_member.removed', { from: 'admin', to: null, revoked_tokens: 2 }),
    ).toEqual([
      { name: 'former_role', value: 'admin' },
      { name: 'revoked_tokens', value: 2 },
    ]);
  });

  it('digests are replaced by what became of the file', () => {
    const became = (from: string | null, to: string | null) =>
      auditDetails('organization.changed', { logo: { from, to } })[0]?.value;
    expect([became(null, 'a1'), became('a1', 'b2'), became('b2', null)]).toEqual([
      'added',
      'replaced',
      'removed',
    ]);
  });

  it('the id of an order is left out beside its number', () => {
    expect(auditDetails('order.placed', { order_id: 1, number: 1001 })).toEqual([
      { name: 'number', value: 1001 },
    ]);
  });

  it('a change of a shop has the parts of its terms that differ, with the defaults of those that the record lacks', () => {
    const rate = { country: 'DE', category: 'standard', name: 'VAT', rate: '0.19' };
    const from = { shipping: { EUR: '4.90' } };
    const to = { taxes: { included: true, country: 'DE', rates: [rate] }, shipping: { EUR: '5.90' } };
    expect(auditDetails('shop.changed', { from, to })).toEqual([
      { name: 'country', before: null, value: 'DE' },
      { name: 'tax_rates', before: [], value: [rate] },
      { name: 'shipping', before: ['4.90 EUR'], value: ['5.90 EUR'] },
    ]);
  });

  it('any other detail stays as it is', () => {
    expect(auditDetails('grant.created', { scopes: ['openid'], name: 'Roof report' })).toEqual([
      { name: 'scopes', value: ['openid'] },
      { name: 'name', value: 'Roof report' },
    ]);
    expect(auditDetails('account.confirmed', {})).toEqual([]);
  });
});
