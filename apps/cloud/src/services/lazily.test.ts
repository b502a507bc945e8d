import { describe, expect, it, vi } from 'vitest';
import { lazily } from './lazily.ts';

describe('lazily', () => {
  it('a property is made once, when it is first read', () => {
    const make = vi.fn(() => ({}));
    const lazy = lazily<{ first: object; second: object }>({ first: make, second: () => ({}) });
    expect(make).not.toHaveBeenCalled();
    expect(lazy.first).toBe(lazy.first);
    expect(lazy.second).not.toBe(lazy.first);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('properties are made in the order of their use, whatever the order they are listed in', () => {
    interface Lazy {
      readonly outer: string;
      readonly inner: string;
    }
    const lazy: Lazy = lazily<Lazy>({
      outer: () => `outer of ${lazy.inner}`,
      inner: () => 'inner',
    });
    expect(lazy.outer).toBe('outer of inner');
  });
});
