import { describe, expect, it } from 'vitest';
import { auditFilters } from './audit-filters.ts';

const NONE = { action: '', actor_id: '', user_id: '', site_id: '', organization_id: '', device_uid: '' };

describe('auditFilters', () => {
  it('filters with a value are sent', () => {
    expect(auditFilters({ ...NONE, action: ' site.renamed ', site_id: '7', device_uid: 'abc' })).toEqual({
      action: 'site.renamed',
      site_id: 7,
      device_uid: 'abc',
    });
    expect(auditFilters(NONE)).toEqual({});
  });

  it('an id that is no positive integer is left out', () => {
    expect(auditFilters({ ...NONE, user_id: 'bo', site_id: '-1', organization_id: '1.5' })).toEqual({});
  });
});
