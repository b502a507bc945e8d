import {
  PRODUCT_STATES,
  TAX_CATEGORIES,
  TICKET_CATEGORIES,
  TICKET_PRIORITIES,
  TICKET_STATES,
} from '@heliograph/contracts';
import { describe, expect, it } from 'vitest';
import { valueLabel } from './detail-labels.ts';

describe('valueLabel', () => {
  it.each([
    ['state', [...TICKET_STATES, ...PRODUCT_STATES, 'next', 'signing', 'old']],
    ['priority', TICKET_PRIORITIES],
    ['category', TICKET_CATEGORIES],
    ['tax_category', TAX_CATEGORIES],
  ])('the detail "%s" has a label of its own for each value', (name, values) => {
    const labels = values.map((value) => valueLabel(name, value));
    expect(labels).not.toContain(undefined);
    expect(new Set(labels).size).toBe(values.length);
  });

  it('a value of a newer service has none', () => {
    expect(valueLabel('state', 'toString')).toBeUndefined();
    expect(valueLabel('state', 'escalated')).toBeUndefined();
  });
});
