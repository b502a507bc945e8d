import { describe, expect, it } from 'vitest';
import { auditFilters } from './audit-filters.ts';

const NONE = { action: '', user_id: '', site_id: '', organization_id: '', device_uid: '' };

describe('filters of the record', () => {
  it('are what is filled in', () => {
    expect(auditFilters({ ...NONE, action: ' site.renamed ', site_id: '7', device_uid: 'abc' })).toEqual({
      action: 'site.renamed',
      site_id: 7,
      device_uid: 'abc',
    });
    expect(auditFilters(NONE)).toEqual({});
  });

  it('are no ids that cannot be one', () => {
    expect(auditFilters({ ...NONE, user_id: 'bo', site_id: '-1', organization_id: '1.5' })).toEqual({});
  });
});
